import type { Logger } from '../../kernel/index.ts'

/** A part of the service that knows how it is. */
export interface Part {
  /** `ok`, or a sentence that says what does not work. */
  health(): Promise<string>
}

/** Milliseconds that a part may think about it; whoever asks for readiness waits a few seconds only. */
const patience = 2000

/** Asks all parts at once how they are. One that fails or does not answer in time is not well. */
export async function checkParts(
  parts: Readonly<Record<string, Part | undefined>>,
  log: Logger,
): Promise<Readonly<Record<string, string>>> {
  const asked = Object.entries(parts).flatMap(([name, part]) => (part ? [ask(name, part, log)] : []))
  return Object.fromEntries(await Promise.all(asked))
}

async function ask(name: string, part: Part, log: Logger): Promise<readonly [string, string]> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(resolve, patience, `No answer within ${patience / 1000} seconds.`)
  try {
    return [name, await Promise.race([part.health(), promise])]
  } catch (err) {
    log.error({ err, part: name }, 'part could not be asked how it is')
    return [name, 'It could not be asked; the log has the cause.']
  } finally {
    clearTimeout(timer)
  }
}
