import { join } from 'node:path'
import * as v from 'valibot'
import { countVariable, readSwitch, toSwitch, wordVariable, type Shape } from '../../kernel/index.ts'

const count = (otherwise: string, effect: string) =>
  v.pipe(v.optional(countVariable(1), otherwise), v.metadata({ otherwise }), v.description(effect))
const path = (name: string, effect: string) =>
  v.pipe(
    v.optional(v.string()),
    v.metadata({ otherwise: `\`${name}\` in the data directory` }),
    v.description(effect),
  )

const rowsName = 'chat-telemetry.ndjson'
const feedbackName = 'chat-feedback.ndjson'

export const TelemetryVariables = v.object({
  CHAT_TELEMETRY_FILE: path(rowsName, 'The file of chat events, one JSON object per line.'),
  CHAT_TELEMETRY_LIMIT: count('500', 'The number of chat events in memory.'),
  CHAT_TELEMETRY_PERSIST: wordVariable('on', '`off` disables the file of chat events.'),
  TELEMETRY_EXCERPTS: wordVariable('on', '`off` excludes excerpts of messages from chat events.'),
  TELEMETRY_HTTP: wordVariable(
    'on',
    '`off` disables the routes below `/telemetry`, which show what users wrote.',
  ),
  FEEDBACK_FILE: path(feedbackName, 'The file of votes on answers of chat.'),
  FEEDBACK_LIMIT: count('1000', 'The number of votes in memory.'),
  ORCHESTRATOR_DATA_DIR: v.optional(v.string()),
  DEMO_MODE: v.optional(v.string(), 'off'),
})
export type TelemetryVariables = v.InferOutput<typeof TelemetryVariables>

type Switch = 'CHAT_TELEMETRY_PERSIST' | 'TELEMETRY_EXCERPTS' | 'TELEMETRY_HTTP'

/**
 * Reads the variables, and passes invalid ones to `warn`. Values without a file stay in memory only, up to
 * `most`.
 */
export function toSettings(env: TelemetryVariables, shape: Shape, warn: (variable: Switch) => void) {
  const isOn = (variable: Switch): boolean => readSwitch(env[variable], true, () => warn(variable))
  const folder = folderOf(env, shape)
  const fileOf = (chosen: string | undefined, name: string): string | undefined =>
    chosen ?? (folder && join(folder, name))
  return {
    http: isOn('TELEMETRY_HTTP'),
    excerpts: isOn('TELEMETRY_EXCERPTS'),
    rows: {
      file: isOn('CHAT_TELEMETRY_PERSIST') ? fileOf(env.CHAT_TELEMETRY_FILE, rowsName) : undefined,
      most: env.CHAT_TELEMETRY_LIMIT,
    },
    feedback: { file: fileOf(env.FEEDBACK_FILE, feedbackName), most: env.FEEDBACK_LIMIT },
  }
}

/** A website and a public demo write files only to a configured directory. */
function folderOf(
  { ORCHESTRATOR_DATA_DIR: chosen, DEMO_MODE: demo }: TelemetryVariables,
  shape: Shape,
): string | undefined {
  return chosen ?? (shape === 'standalone' && toSwitch(demo) !== true ? '.orchestrator' : undefined)
}
