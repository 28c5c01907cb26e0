// No kernel has anything for floats.
#pragma once
