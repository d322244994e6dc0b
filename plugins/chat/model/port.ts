import { service } from '../../../kernel/index.ts'
import type { ModelClient } from '../../models/port.ts'
import type { tools } from './tools.ts'

export type ModelTools = typeof tools

/** The models of chat. */
export interface ChatModels {
  /** One for each provider, the preferred one first; none in a public demo. */
  readonly clients: readonly ModelClient[]
  /** The maximum size of a request in bytes, without rules, site and history. */
  readonly requestBytes: number
  /** Throws a `PlannerFailure` if the daily budget is spent. */
  checkBudget(): Promise<void>
  /** The tools for model calls. */
  readonly tools: ModelTools
}

export const chatModels = service<ChatModels>('chat.models')
