/** What shells report for a process that a signal ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/** Resolves once SIGTERM or SIGINT came and `stop` is done; a second signal ends the process at once. */
export function stopOnSignal(stop: (signal: string) => Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(exitCodes[signal])
      isStopping = true
      stop(signal).then(resolve, reject)
    })
  }
  return promise
}
