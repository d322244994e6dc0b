import type { ToolCallRecord } from '../agent/port.ts'
import type { RecordedCall } from './records.ts'

const longest = 400

/** A call of a tool as records keep it: cut, and without the secrets of Jira. */
export function toRecordedCall({ input, resultExcerpt, ...call }: ToolCallRecord, redact: (text: string) => string): RecordedCall {
  return { ...call, input: redact(JSON.stringify(input) ?? '').slice(0, longest), resultExcerpt: redact(resultExcerpt) }
}
