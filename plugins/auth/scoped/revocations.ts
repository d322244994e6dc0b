import { Refusal } from '../../../kernel/index.ts'
import type { ScopedTokens } from '../port.ts'

/** Milliseconds within which a token that was revoked by another process ends what runs under it here. */
const lookEvery = 1_000

/** Why work under a token stops: clients ask for another one when they see this. */
const accessEnded = (): Refusal =>
  new Refusal({ status: 401, code: 'unauthorized', error: 'unauthorized', reason: 'The token was revoked or has expired.' })

/** Gives signals by the ids of tokens, each of which aborts soon after its token is revoked or expires. */
export function watchRevocations(tokens: Pick<ScopedTokens, 'isLiveId'>, { closing }: { readonly closing: AbortSignal }): (id: string) => AbortSignal {
  const watched = new Map<string, AbortController>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    for (const [id, controller] of watched) {
      // A store that cannot be read now is asked again.
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
    timer ??= setInterval(() => void look(), lookEvery).unref()
    return controller.signal
  }
}
