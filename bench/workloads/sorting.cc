// A merge sort that counts inversions, std::sort of numbers and of structures, and std::nth_element.
#include <algorithm>
#include <cstdio>
#include <vector>

static long Inversions(std::vector<int>* numbers, std::vector<int>* space, int from, int to) {
  if (to - from < 2) return 0;
  const int middle = (from + to) / 2;
  long count = Inversions(numbers, space, from, middle) + Inversions(numbers, space, middle, to);
  int left = from, right = middle;
  for (int at = from; at < to; ++at) {
    if (right == to || (left < middle && (*numbers)[left] <= (*numbers)[right])) {
      (*space)[at] = (*numbers)[left++];
    } else {
      count += middle - left;
      (*space)[at] = (*numbers)[right++];
    }
  }
  std::copy(space->begin() + from, space->begin() + to, numbers->begin() + from);
  return count;
}

struct Person {
  int age;
  double height;
  int number;
};

int main() {
  constexpr int kSize = 4000000;
  unsigned long seed = 1;
  const auto random = [&] { return static_cast<int>((seed = seed * 6364136223846793005UL + 1) >> 34); };
  std::vector<int> numbers(kSize), space(kSize);
  for (int& x : numbers) x = random();
  std::vector<int> copy = numbers;
  std::vector<Person> people(kSize / 2);
  for (int i = 0; i < kSize / 2; ++i) people[i] = {random() % 100, random() % 1000 / 10.0, i};
  const long inversions = Inversions(&numbers, &space, 0, kSize);
  std::sort(copy.begin(), copy.end());
  std::sort(people.begin(), people.end(), [](const Person& a, const Person& b) {
    return a.age != b.age ? a.age < b.age : a.height != b.height ? a.height < b.height : a.number < b.number;
  });
  std::printf("%ld %d %d\n", inversions, copy[kSize / 3], people[kSize / 3].number);
}
