import { createOrchestrator } from '../../config/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { pageOf } from './content.ts'

/** One of several processes of a website, as a process manager starts them: answers what its parent asks over the channel. */
const { log, lines } = capturedLog()
const { inject, close } = createOrchestrator({
  adapter: { readContent: async () => ({ pages: [pageOf('/')] }) },
  siteId: 'acme',
  logger: log,
  config: { shape: 'library', plugins: [['store', { synchronous: 'normal' }]] },
})

process.on('message', async (asked: { readonly id: number; readonly wish: Parameters<typeof inject>[0] }) => {
  const { status, headers, text } = await inject(asked.wish)
  process.send?.({ id: asked.id, status, headers: [...headers], text, log: lines })
})
process.on('disconnect', () => void close())
