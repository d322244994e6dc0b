import { Refusal } from '../../../kernel/index.ts'
import type { ScopedTokens } from '../port.ts'

/** The maximum milliseconds for which the work of a token continues here after another process revoked it. */
const pollMs = 1_000

/** The reason why the work of a token stops; clients then request another token. */
const accessEnded = (): Refusal =>
  new Refusal({
    status: 401,
    code: 'unauthorized',
    error: 'unauthorized',
    reason: 'The token was revoked or has expired.',
  })

/** Returns a signal per token id, which aborts soon after the token is revoked or expires. */
export function watchRevocations(
  tokens: Pick<ScopedTokens, 'isLiveId'>,
  { closing }: { readonly closing: AbortSignal },
): (id: string) => AbortSignal {
  const watched = new Map<string, AbortController>()
  let timer: NodeJS.Timeout | undefined

  async function poll(): Promise<void> {
    for (const [id, controller] of watched) {
      // Checks again later if the store cannot be read.
      if (await tokens.isLiveId(id).catch(() => true)) continue
      watched.delete(id)
      controller.abort(accessEnded())
    }
    if (watched.size === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
  closing.addEventListener('abort', stop, { once: true })

  return (id) => {
    const controller = watched.get(id) ?? new AbortController()
    watched.set(id, controller)
    timer ??= setInterval(() => void poll(), pollMs).unref()
    return controller.signal
  }
}
