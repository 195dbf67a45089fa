{ Four threads take numbers off a counter and put what they make of them into a list, in the order in which they happen to. }
program threads;
{$mode objfpc}
uses cthreads, classes, sysutils;

var
  lock: TRTLCriticalSection;
  next: longint = 0;
  total: int64 = 0;
  order: string = '';

type
  TTaker = class(TThread)
    me: char;
    procedure Execute; override;
  end;

function work(x: int64): int64;
var i: longint;
begin
  for i := 1 to 2000 do x := (x * 1103515245 + 12345) mod 2147483648;
  work := x;
end;

procedure TTaker.Execute;
var n: longint; made: int64;
begin
  repeat
    EnterCriticalSection(lock);
    n := next;
    inc(next);
    LeaveCriticalSection(lock);
    if n >= 100 then break;
    made := work(n);
    EnterCriticalSection(lock);
    total := total + made;
    order := order + me;
    LeaveCriticalSection(lock);
    ThreadSwitch;
  until false;
end;

var
  takers: array[0..3] of TTaker;
  i: longint;
begin
  InitCriticalSection(lock);
  for i := 0 to 3 do begin
    takers[i] := TTaker.Create(true);
    takers[i].me := chr(ord('a') + i);
  end;
  for i := 0 to 3 do takers[i].Start;
  for i := 0 to 3 do takers[i].WaitFor;
  writeln(total, ' ', length(order), ' ', order);
end.
