import * as v from 'valibot'
import { readSwitch, wordVariable } from '../../kernel/index.ts'

const longestStepMs = 2_000
const usualStepMs = 260

export const ApplyVariables = v.object({
  CHAT_INCREMENTAL_APPLY: wordVariable('on', '`off` applies every plan as one change, even while a client follows it.'),
  CHAT_STREAMED_OP_APPLY: wordVariable('on', '`off` applies nothing of a plan before it is complete.'),
  CHAT_STREAM_APPLY_MIN_STEP_MS: wordVariable(String(usualStepMs), `Milliseconds between two changes of one plan while a client follows it, 0 to ${longestStepMs}.`),
})
export type ApplyVariables = v.InferOutput<typeof ApplyVariables>

/** Reads how plans are applied while a client follows. Invalid values call `warn` and are ignored. */
export function toApplySettings(env: ApplyVariables, warn: (variable: keyof ApplyVariables) => void) {
  const isOn = (name: keyof ApplyVariables): boolean => readSwitch(env[name], true, () => warn(name))
  const asked = Number(env.CHAT_STREAM_APPLY_MIN_STEP_MS)
  const isMeant = asked >= 0
  if (!isMeant) warn('CHAT_STREAM_APPLY_MIN_STEP_MS')
  const isStepwise = isOn('CHAT_INCREMENTAL_APPLY')
  return {
    isStepwise,
    /** Whether operations are applied while the plan is still being written. */
    isEarly: isOn('CHAT_STREAMED_OP_APPLY') && isStepwise,
    stepMs: isMeant ? Math.min(asked, longestStepMs) : usualStepMs,
  }
}
