import { drawPlan } from '../../kernel/draw.ts'
import { defineCommand } from './shared/command.ts'
import { assembleFor, jsonFlag, sharedFlags } from './shared/flags.ts'
import { inspect } from './shared/inspect.ts'

export const plan = defineCommand({
  name: 'plan',
  summary: 'Prints the order in which plugins are set up, and which depends on which.',
  flags: { ...sharedFlags, ...jsonFlag },
  async run(given, io) {
    const found = await inspect(await assembleFor(given, io), ({ plan }) => plan)
    io.print(given.has('json') ? JSON.stringify(found, null, 2) : drawPlan(found, io.paint))
    return 0
  },
})
