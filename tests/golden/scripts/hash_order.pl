# The order of a hash's keys is perl's to choose, by random numbers.
my %h = map { $_ => 1 } 'a' .. 'zz';
print join(" ", keys %h), "\n";
print int(rand(1e9)), " ", time, "\n";
