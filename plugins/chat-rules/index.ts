import { setImmediate as turn } from 'node:timers/promises'
import type { Rules } from '../chat/types/reader.ts'
import { planByRules } from './plan-by-rules.ts'
import { words } from './reader.ts'

/** The planner that needs no model, and how it reads messages. */
export const rules: Rules = { plan: planByRules, words }

/** The same, for chat, which loads it with the first message. Nothing is compiled: words are looked up as they are. */
export async function loadedRules(): Promise<Rules> {
  await turn()
  return rules
}
