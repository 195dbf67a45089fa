# Prints the number it is given.
import sys

print(int(sys.argv[1]))
