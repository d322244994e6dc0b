/** Calls `tick` every so many milliseconds until a job has ended, and returns its result. */
export async function withInterval<T>(
  milliseconds: number,
  tick: () => void,
  job: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(tick, milliseconds).unref()
  try {
    return await job()
  } finally {
    clearInterval(timer)
  }
}
