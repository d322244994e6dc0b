import { definePlugin, pace } from '../../kernel/index.ts'
import { messageReader, planners } from '../chat/port.ts'

/** Plans literal edits without a model, by a table of forms, and reads messages for chat. Both load with the first one. */
export default definePlugin({
  name: 'chat-rules',
  tag: 'Chat',
  gives: { planners, messageReader },
}).setup(() => {
  let planner: Promise<typeof import('./planner.ts')> | undefined
  return {
    gives: {
      planners: {
        name: 'demo',
        available: true,
        isLocal: true,
        async plan(input) {
          const { planByRules } = await (planner ??= import('./planner.ts'))
          await pace()
          return planByRules(input)
        },
      },
      messageReader: async () => (await import('./reader.ts')).reader,
    },
  }
})
