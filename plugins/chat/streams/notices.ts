import * as v from 'valibot'
import type { Logger } from '../../../kernel/index.ts'
import { type Bus, defineEvent } from '../../bus/port.ts'

/** A process that follows a run of another one says so this often, and gets notices a little longer. */
const [followMs, noticeMs] = [5_000, 12_000]

interface NoticesGiven {
  readonly kind: string
  readonly bus: Bus
  /** The id of this process. */
  readonly owner: string
  readonly now: () => number
  readonly log: Logger
  readonly signal: AbortSignal
  /** Called when another process has changed something of a run, or follows it. */
  received(run: string): void
}

/**
 * Creates the notices between processes that rows of a run have changed; only runs that others follow have
 * them.
 */
export function createNotices({ kind, bus, owner, now, log, signal, received }: NoticesGiven) {
  const changed = defineEvent(`${kind}.run.changed`, v.object({ run: v.string(), from: v.string() }))
  /** The times until which others follow a run, and at which this process says that it does. */
  const [followed, following] = [new Map<string, number>(), new Map<string, number>()]
  bus.subscribe(
    changed,
    ({ run, from }) => {
      if (from !== owner) received(run)
    },
    { signal },
  )

  async function send(run: string): Promise<void> {
    const failed = (err: unknown): void => log.warn({ err, run }, 'change of a run not announced')
    await bus.publish(changed, { run, from: owner }).catch(failed)
  }

  return {
    send,
    /** Sends a notice about a run of this process if others follow it. */
    async announce(run: string): Promise<void> {
      if ((followed.get(run) ?? 0) > now()) await send(run)
    },
    /** Remembers that another process follows a run of this one. */
    setFollowed: (run: string): void => void followed.set(run, now() + noticeMs),
    /** Says that this process follows a run, if it is time to. */
    async follow(run: string): Promise<void> {
      if ((following.get(run) ?? 0) > now()) return
      following.set(run, now() + followMs)
      await send(run)
    },
    /** This process does not follow a run any more. */
    leave: (run: string): void => void following.delete(run),
    /** A run of this process was removed. */
    forget: (run: string): void => void followed.delete(run),
  }
}
