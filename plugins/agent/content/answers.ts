import { fenced } from '../../llm/port.ts'
import type { LoopAnswer } from '../loop-types.ts'

/** What a tool gives, marked as data. */
export const toolAnswer = (value: unknown): LoopAnswer => ({ text: fenced('tool result', value) })

export const toolError = (text: string): LoopAnswer => ({ text, isError: true })
