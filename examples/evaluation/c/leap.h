#pragma once

int is_leap(int year);
