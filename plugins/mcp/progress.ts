import type { ServerContext } from '@modelcontextprotocol/server'

/** Milliseconds between two signs of life, so that a host does not give up on a long tool. */
const every = 5_000

/** Tells a host how a long tool is going. */
export interface Progress {
  readonly step: (what: string) => void
  end(): void
}

const silent: Progress = { step: () => undefined, end: () => undefined }

/** Begins to tell, where the host asked for it. What cannot be told any more is no reason to fail. */
export function createProgress(context: ServerContext | undefined, interval = every): Progress {
  const progressToken = context?.mcpReq._meta?.progressToken
  if (!context || progressToken === undefined) return silent
  let progress = 0
  let message = ''
  const tell = (): void => {
    progress++
    context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined)
  }
  const timer = setInterval(tell, interval)
  return {
    step(what) {
      message = what
      tell()
    },
    end: () => clearInterval(timer),
  }
}
