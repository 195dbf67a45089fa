// Strings and streams: numbers written and read as text, words counted, getline, string concatenation.
#include <iostream>
#include <map>
#include <sstream>
#include <string>

int main() {
  std::ios::sync_with_stdio(false);
  std::ostringstream out;
  unsigned seed = 1;
  const auto random = [&] { return (seed = seed * 1664525 + 1013904223) >> 12; };
  for (int i = 0; i < 3000000; ++i) {
    out << random() << ' ' << "word" << random() % 1000 << (i % 10 == 0 ? '\n' : ' ');
    if (i % 50 == 0) out << 1.0 / (1 + random() % 100) << ' ';
  }
  std::istringstream in(out.str());
  std::map<std::string, int> words;
  unsigned long sum = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    for (std::string word; fields >> word;) {
      if (word[0] == 'w') ++words[word];
      else sum += std::stoul(word);
    }
  }
  std::string joined;
  for (const auto& [word, count] : words) joined += word + ":" + std::to_string(count) + ",";
  std::cout << sum << ' ' << joined.size() << ' ' << std::hash<std::string>()(joined) % 1000 << '\n';
}
