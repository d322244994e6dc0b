import { definePlugin } from '../../kernel/index.ts'
import { messageReader, planners } from '../chat/port.ts'

/** The planner without a model, which plans what a message says word for word, and the reader of messages. Both are loaded by the first message. */
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
        plan: async (input) => (await (planner ??= import('./plan-by-rules.ts'))).planByRules(input),
      },
      messageReader: async () => (await import('./reader.ts')).reader,
    },
  }
})
