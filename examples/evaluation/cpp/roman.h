#pragma once

#include <string>

std::string Roman(int number);
