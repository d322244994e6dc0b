/** One message of the conversation, and how the events of its run change it. */
import type { Answer, Streamed } from '../service.ts'
import type { Operation } from './place.ts'

export type ChatResult = Answer<'POST /chat'>
type Attachment = Answer<'POST /attachment/upload'>

/** The block that a message is about, by its name at that time. */
export interface MessageSubject {
  readonly blockId: string
  readonly path?: string | undefined
  readonly name: string
  /** The block and the field. */
  readonly label: string
}

/** Whether a message was not understood, where no language model is. */
export const isUnread = (result: ChatResult | undefined): boolean =>
  result?.debug.outcome === 'unsupported_without_provider'

/** What the language model did for a message; `usd` is `null` if its price is not known. */
interface Cost {
  readonly tokens: number
  readonly usd: number | null
}

export interface Turn {
  readonly id: number
  readonly message: string
  readonly about?: MessageSubject | undefined
  readonly files?: readonly Attachment[] | undefined
  readonly asksVariations?: true
  /** What the service does now; `undefined` once it has ended. */
  readonly step?: string | undefined
  readonly seconds?: number | undefined
  readonly streamId?: string | undefined
  /** What has arrived so far. */
  readonly text?: string | undefined
  readonly ops?: readonly Operation[] | undefined
  readonly result?: ChatResult | undefined
  readonly planId?: string | undefined
  /** Why its plan waits no longer, if another person has applied one that meets it. */
  readonly outdated?: string | undefined
  readonly failure?: string | undefined
  readonly cost?: Cost | undefined
  /** The version of the draft with its change. */
  readonly version?: number | undefined
}

/** The turn after an event of its run. */
export function after(turn: Turn, event: Streamed<'GET /chat/stream'>): Turn {
  switch (event.type) {
    case 'status':
      return { ...turn, step: event.message }
    case 'heartbeat':
      return { ...turn, step: event.label, seconds: Math.round(event.elapsedMs / 1000) }
    case 'thinking_start':
      return { ...turn, step: 'Thinking' }
    case 'image_progress':
      return { ...turn, step: `Looking for pictures · ${Math.round(event.percent)} %` }
    case 'op_applied':
      return { ...turn, step: `${event.index} of ${event.total} applied` }
    case 'summary_token':
    case 'token':
      return { ...turn, text: (turn.text ?? '') + event.text }
    case 'op_candidate':
      return { ...turn, ops: [...(turn.ops ?? []).slice(0, event.index - 1), event.op] }
    case 'final':
      return ended(turn, event.result)
    case 'error':
      return {
        ...ended(turn, event.result),
        failure: [event.result.summary, ...event.result.changes].join(' '),
      }
    case 'canceled':
      return { ...turn, failure: event.message ?? 'Stopped.' }
    default:
      return turn
  }
}

export function ended({ text: _text, ops: _ops, ...turn }: Turn, result: ChatResult): Turn {
  const hasChanged = result.status === 'applied' && result.changes.length > 0
  return {
    ...turn,
    result,
    planId: result.pendingPlanId ?? turn.planId,
    cost: together(turn.cost, result.debug),
    ...(hasChanged && { version: result.previewVersion }),
  }
}

function together(before: Cost | undefined, { totalTokens, estimatedUsd = null }: ChatResult['debug']) {
  if (totalTokens === undefined) return before
  const usd = estimatedUsd === null || before?.usd === null ? null : estimatedUsd + (before?.usd ?? 0)
  return { tokens: totalTokens + (before?.tokens ?? 0), usd }
}
