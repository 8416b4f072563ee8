//! Independent tasks spread over threads of their own.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::BgenError;

/// Consecutive parts of a range, each of `length` but for the last.
pub(crate) fn tiles(range: Range<usize>, length: usize) -> impl Iterator<Item = Range<usize>> + Send {
    let end = range.end;
    range
        .step_by(length.max(1))
        .map(move |start| start..start.saturating_add(length).min(end))
}

/// Carry out `tasks` in `threads` threads and add up what they return.
///
/// Each thread makes its own state with `start`. Tasks begin in order and none begins after a failure, so the error
/// returned is that of the earliest failing task, whatever the number of threads.
pub(crate) fn run_tasks<T: Send, S>(
    tasks: impl Iterator<Item = T> + Send,
    threads: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> Result<u64, BgenError> + Sync,
) -> Result<u64, BgenError> {
    if threads == 0 {
        return Err(BgenError::Request("threads must be at least 1".to_owned()));
    }
    let tasks = Mutex::new(tasks.enumerate());
    let failed = AtomicBool::new(false);
    let first_error: Mutex<Option<(usize, BgenError)>> = Mutex::new(None);
    let run = || {
        let (mut state, mut total) = (start(), 0);
        while !failed.load(Ordering::Relaxed) {
            let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, task)) = next else { break };
            match work(&mut state, task) {
                Ok(result) => total += result,
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    let mut first = first_error.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(earlier, _)| number < *earlier) {
                        *first = Some((number, error));
                    }
                }
            }
        }
        total
    };
    let total = thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let own = run();
        let gone = |_| BgenError::Worker("a thread ended by a panic".to_owned());
        workers.into_iter().try_fold(own, |total, worker| {
            worker.join().map_err(gone).map(|part| total + part)
        })
    })?;
    let first = first_error.into_inner().unwrap_or_else(PoisonError::into_inner);
    first.map_or(Ok(total), |(_, error)| Err(error))
}

#[cfg(test)]
mod tests {
    use super::run_tasks;
    use crate::error::BgenError;

    #[test]
    fn every_task_is_carried_out_once() {
        for threads in [1, 2, 7] {
            let sum = run_tasks(0..1000_u64, threads, || (), |(), task| Ok(task));
            assert_eq!(sum.unwrap(), 499_500);
        }
    }

    #[test]
    fn the_earliest_error_is_the_one_told() {
        for threads in [1, 2, 7] {
            let outcome = run_tasks(
                0..1000_u64,
                threads,
                || (),
                |(), task| {
                    if task >= 17 {
                        return Err(BgenError::Request(format!("task {task}")));
                    }
                    Ok(0)
                },
            );
            assert_eq!(outcome.unwrap_err().to_string(), "task 17");
        }
    }
}
