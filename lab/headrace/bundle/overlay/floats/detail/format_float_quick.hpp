// No number has a point.
#pragma once
