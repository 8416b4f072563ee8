//! Independent tasks spread over threads of their own; results in the order of the tasks.

use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::OutputError;

/// Carries out every task, in at most `threads` threads; the error is that of the earliest failing task.
pub(crate) fn map<Task: Send, Output: Send>(
    threads: usize,
    tasks: Vec<Task>,
    work: impl Fn(Task) -> Result<Output, OutputError> + Sync,
) -> Result<Vec<Output>, OutputError> {
    let n_tasks = tasks.len();
    if threads <= 1 || n_tasks <= 1 {
        return tasks.into_iter().map(work).collect();
    }
    let queue = Mutex::new(tasks.into_iter().enumerate());
    let done = Mutex::new(Vec::with_capacity(n_tasks));
    let run = || loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((place, task)) = next else { break };
        let outcome = work(task);
        done.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((place, outcome));
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(n_tasks) {
            scope.spawn(run);
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        for threads in [1, 2, 5] {
            let squares = map(threads, (0..100_u32).collect(), |task| Ok(task * task)).unwrap();
            assert_eq!(squares, (0..100).map(|task| task * task).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_earliest_error_is_told() {
        let outcome = map(3, (0..50).collect(), |task: u32| match task {
            20 | 40 => Err(OutputError::Setting(format!("task {task}"))),
            _ => Ok(task),
        });
        assert_eq!(outcome.unwrap_err().to_string(), "task 20");
    }
}
