// Nothing needs powers of five or ten.
#pragma once
