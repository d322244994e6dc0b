import type { Clock } from '../../kernel/index.ts'
import { checkIntegrity } from './copy.ts'
import { damaged, remedy } from './engine-errors.ts'
import { FileError } from './files.ts'
import type { EngineLog } from './sqlite-engine.ts'

/** A check takes at most a hundredth of the time, and there is at most one in ten seconds. */
const leastPauseMs = 10_000
const share = 100

/** Remembers that a file is damaged, until the process ends, and logs it once. */
export function watchDamage(
  file: string,
  { clock, log }: { readonly clock: Clock; readonly log: EngineLog },
) {
  let isDamaged = false
  let checking: Promise<void> | undefined
  let next = clock.now().getTime() + leastPauseMs

  function report(err: unknown): void {
    if (!isDamaged) log.error({ err, file }, `store is damaged; stop the service and ${remedy}`)
    isDamaged = true
  }

  async function check(): Promise<void> {
    const began = clock.now().getTime()
    await checkIntegrity(file).catch((error: unknown) => {
      if (error instanceof FileError) report(error)
      else log.warn({ err: error }, 'store could not be checked for damage')
    })
    const now = clock.now().getTime()
    next = now + Math.max(leastPauseMs, (now - began) * share)
    checking = undefined
  }

  return {
    report,
    /** Returns a sentence if the file is known to be damaged. Checks it in the background if the last check is long ago. */
    ask(): string | undefined {
      if (!isDamaged && !checking && clock.now().getTime() >= next) checking = check()
      return isDamaged ? damaged : undefined
    },
    /** Waits for the running check. */
    stop: async (): Promise<void> => checking,
  }
}
