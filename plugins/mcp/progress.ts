import type { ServerContext } from '@modelcontextprotocol/server'

/** Milliseconds between two signs of life, so that a host does not give up on a long tool. */
const every = 5_000

/** Reports to a host how a long tool is going. */
export interface Progress {
  readonly step: (what: string) => void
  end(): void
}

const silent: Progress = { step: () => undefined, end: () => undefined }

/** Begins to report, where the host asked for it. A report that cannot be sent does not fail the tool. */
export function createProgress(context: ServerContext | undefined, interval = every): Progress {
  const progressToken = context?.mcpReq._meta?.progressToken
  if (!context || progressToken === undefined) return silent
  let progress = 0
  let message = ''
  const report = (): void => {
    progress++
    context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined)
  }
  const timer = setInterval(report, interval)
  return {
    step(what) {
      message = what
      report()
    },
    end: () => clearInterval(timer),
  }
}
