import { definePlugin, pace } from '../../../kernel/index.ts'
import { planners } from '../port.ts'

/** Plans literal edits without a model, by a table of forms, which is loaded with the first message. */
export default definePlugin({ name: 'chat-rules', tag: 'Chat', gives: { planners } }).setup(() => {
  let loaded: Promise<typeof import('./planner.ts')> | undefined
  return {
    gives: {
      planners: {
        name: 'demo',
        available: true,
        isLocal: true,
        async plan(input) {
          const { planByRules } = await (loaded ??= import('./planner.ts'))
          await pace()
          return planByRules(input)
        },
      },
    },
  }
})
