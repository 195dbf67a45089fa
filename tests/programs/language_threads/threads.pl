# Four threads take numbers off a queue and put what they make of them into a list, in the order in which they happen to.
use strict;
use warnings;
use threads;
use threads::shared;
use Thread::Queue;

my $queue = Thread::Queue->new;
my $total :shared = 0;
my @order :shared;

sub work {
  my $x = shift;
  $x = ($x * 1103515245 + 12345) % 2147483648 for 1 .. 2000;
  return $x;
}

sub take {
  my $me = shift;
  while (defined(my $n = $queue->dequeue)) {
    my $made = work($n);
    lock(@order);
    $total += $made;
    push @order, $me;
  }
}

my @threads = map { threads->create(\&take, $_) } 'a' .. 'd';
$queue->enqueue($_) for 0 .. 99;
$queue->end;
$_->join for @threads;
print "$total ", scalar(@order), ' ', join('', @order), "\n";
