import { service } from '../../kernel/index.ts'
import type { ModelClient } from '../llm/port.ts'
import type { tools } from './tools.ts'

export type ModelTools = typeof tools

/** The models of chat. */
export interface ChatModels {
  /** One for each provider, the preferred one first; none in a public demo. */
  readonly clients: readonly ModelClient[]
  /** The most bytes that a request may have in addition to rules, site and history. */
  readonly requestBytes: number
  /** Refuses with a `PlannerFailure` once the budget of the day is spent. */
  checkBudget(locale: string): Promise<void>
  /** Loads what a call takes. */
  load(): Promise<ModelTools>
}

export const chatModels = service<ChatModels>('chat.models')
