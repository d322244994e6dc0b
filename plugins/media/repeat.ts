import type { Logger } from '../../kernel/index.ts'

const hour = 60 * 60 * 1000

/** Runs work at once and then every so many milliseconds, an hour without them; a run that fails is logged, and the next one tries again. */
export function repeat(work: () => Promise<unknown>, log: Logger, every = hour) {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const run = (): void => {
    running = running.then(work).then(() => undefined, (err: unknown) => log.warn({ err }, 'old files could not be looked through'))
  }
  return {
    start() {
      run()
      timer = setInterval(run, every).unref()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
