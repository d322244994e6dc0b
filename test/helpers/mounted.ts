import { createOrchestrator } from '../../config/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { pageOf } from './content.ts'

/** One of several processes of a website, as a process manager starts them: answers requests of its parent over IPC. */
const { log, lines } = capturedLog()
const { inject, close } = createOrchestrator({
  adapter: { readContent: async () => ({ pages: [pageOf('/')] }) },
  siteId: 'acme',
  logger: log,
  config: { shape: 'library', plugins: [['store', { synchronous: 'normal' }]] },
})

process.on(
  'message',
  async ({ id, request }: { readonly id: number; readonly request: Parameters<typeof inject>[0] }) => {
    const { status, headers, text } = await inject(request)
    process.send?.({ id, status, headers: [...headers], text, log: lines })
  },
)
process.on('disconnect', () => void close())
