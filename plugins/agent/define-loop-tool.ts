import type * as v from 'valibot'
import { toJsonSchema } from '../docs/port.ts'
import { readBy } from '../tools/port.ts'
import type { LoopAnswer, LoopTool } from './loop-types.ts'

/** Makes a tool of a run. Arguments that do not fit are told the model, and nothing is run. */
export function defineLoopTool<I>(
  { name, description, input }: { readonly name: string; readonly description: string; readonly input: v.GenericSchema<unknown, I> },
  run: (input: I, call: Parameters<LoopTool['run']>[1]) => Promise<LoopAnswer>,
): LoopTool {
  return {
    name,
    description,
    inputSchema: async () => ({ ...(await toJsonSchema(input)) }),
    async run(value, call) {
      const read = readBy(input, value)
      return read.ok ? run(read.value, call) : { text: `The arguments do not fit. ${read.problem}`, isError: true }
    },
  }
}
