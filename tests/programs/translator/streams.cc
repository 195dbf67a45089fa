// iostreams: locale facets, virtual calls, long double output, string streams.
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

int main() {
  std::istringstream in("3 4.5 hello\nsecond line\n77");
  int n = 0;
  double x = 0;
  std::string word, line;
  in >> n >> x >> word;
  std::getline(in, line);
  std::getline(in, line);
  std::cout << n << ' ' << std::fixed << std::setprecision(3) << x << ' ' << word << '|' << line << '\n';
  std::ostringstream out;
  for (int i = 0; i < 20; ++i) out << std::setw(4) << std::hex << i * i << ',';
  std::cout << out.str() << std::endl << "END" << std::endl;
  return 0;
}
