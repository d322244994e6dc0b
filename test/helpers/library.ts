import { createOrchestrator, type OrchestratorOptions } from '../../config/index.ts'
import { createHttpServer } from '../../kernel/http/server.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { environment } from './environment.ts'
import { listen } from './raw.ts'
import { askOver, temporaryFolder } from './stack.ts'

/** Starts the service inside a website, over a socket and with a data folder of its own. */
export async function startLibrary(
  t: Parameters<typeof listen>[0],
  env: Readonly<Record<string, string>> = {},
  options: Partial<OrchestratorOptions> = {},
) {
  const { ORCHESTRATOR_DATA_DIR: dataDir = temporaryFolder(t), ...rest } = env
  environment(t, { ORCHESTRATOR_DATA_DIR: dataDir, ...rest })
  const { log, lines } = capturedLog()
  const mounted = createOrchestrator({
    adapter: { readContent: async () => ({ pages: [] }) },
    logger: log,
    ...options,
  })
  t.teardown(() => mounted.close())
  const origin = `http://127.0.0.1:${await listen(t, createHttpServer(mounted.node))}`
  const ask = (request: Parameters<typeof askOver>[1]) => askOver(origin, request)
  return { origin, dataDir, lines, mounted, ask }
}
