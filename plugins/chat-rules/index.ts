import { definePlugin, pace } from '../../kernel/index.ts'
import { messageReader, planners } from '../chat/port.ts'

/** The rule-based planner, which plans literal edits without a model, and the message reader. Both load on the first message. */
export default definePlugin({
  name: 'chat-rules',
  tag: 'Chat',
  gives: { planners, messageReader },
}).setup(() => {
  let planner: Promise<typeof import('./plan-by-rules.ts')> | undefined
  return {
    gives: {
      planners: {
        name: 'demo',
        available: true,
        isLocal: true,
        async plan(input) {
          const { planByRules } = await (planner ??= import('./plan-by-rules.ts'))
          await pace()
          return planByRules(input)
        },
      },
      messageReader: async () => (await import('./reader.ts')).reader,
    },
  }
})
