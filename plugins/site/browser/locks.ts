/**
 * Locks between the tabs of this origin: those of the browser, which only secure contexts have, or else, as on a
 * page without TLS, an agreement of the tabs. A tab asks the others, and takes the lock if none answers in time:
 * neither the one that holds it, nor one that has waited for longer. So a tab that is closed or crashes frees it.
 */
interface Ticket {
  /** When it was taken: tabs have one clock. */
  readonly at: number
  readonly id: string
}
interface Posted {
  readonly says: 'asks' | 'waits' | 'holds' | 'leaves'
  readonly from: Ticket
}

/** How long the others have to answer, and how long to wait after an answer. */
const [answerMs, againMs] = [300, 1000]

const isEarlier = (a: Ticket, b: Ticket): boolean => a.at < b.at || (a.at === b.at && a.id < b.id)

/** A lock that is never lost. */
const never = new AbortController().signal

/**
 * Returns the name that tabs share for a text, which may carry a token. In a secure context, any script of this
 * origin can list the names of locks, so it is a digest. Elsewhere there is no `crypto.subtle`, but channels
 * cannot be listed either.
 */
export async function nameFor(what: string, text: string): Promise<string> {
  if (!isSecureContext) return `content-orchestrator:${what}-${text}`
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `content-orchestrator:${what}-${new Uint8Array(digest).join('-')}`
}

/**
 * Does the work while this tab has the lock. `lost` aborts if a tab that did not answer in time turns out to
 * hold it. Rejects if `signal` aborts before.
 */
export async function withLock(
  name: string,
  signal: AbortSignal,
  work: (lost: AbortSignal) => Promise<void> | undefined,
): Promise<void> {
  if ('locks' in navigator) return navigator.locks.request(name, { signal }, () => work(never))
  const lost = new AbortController()
  const own: Ticket = {
    at: performance.timeOrigin + performance.now(),
    id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
  }
  const channel = new BroadcastChannel(`${name}:lock`)
  let [isHolding, isAnswered] = [false, false]
  let wake = (): void => undefined
  const say = (says: Posted['says']): void => channel.postMessage({ says, from: own } satisfies Posted)
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
      setTimeout(resolve, ms)
      signal.addEventListener('abort', () => resolve())
    })
  channel.addEventListener('message', ({ data: { says, from } }: MessageEvent<Posted>) => {
    const isFirst = isEarlier(own, from)
    if (isHolding && says === 'holds' && !isFirst) return lost.abort()
    if (isHolding) return says === 'asks' || says === 'holds' ? say('holds') : undefined
    if (says === 'leaves') return isAnswered ? wake() : undefined
    if (says === 'asks') return isFirst ? say('waits') : undefined
    // An answer that is for a later one is heard by all.
    if (says === 'holds' || !isFirst) isAnswered = true
  })
  try {
    do {
      isAnswered = false
      say('asks')
      await pause(answerMs)
      if (isAnswered) await pause(againMs)
      signal.throwIfAborted()
    } while (isAnswered)
    isHolding = true
    say('holds')
    await work(lost.signal)
  } finally {
    say('leaves')
    channel.close()
  }
}
