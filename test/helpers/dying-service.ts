/**
 * The service in a process of its own, on a content file: the arguments are the folder of its data and the
 * file, without which it publishes by git. It is killed once it has written, as long as `FILE.kills` exists.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger, give } from '../../kernel/index.ts'
import { contentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import { startStack } from './stack.ts'

const [, , dataDir = '', file] = process.argv
const adapter = {
  readContent: async (): Promise<SiteContent> => JSON.parse(readFileSync(file ?? '', 'utf8')),
  async writeContent(content: object) {
    writeFileSync(file ?? '', JSON.stringify(content))
    if (existsSync(`${file}.kills`)) process.kill(process.pid, 'SIGKILL')
  },
}
writeFileSync(join(dataDir, 'pid'), String(process.pid))
const stack = await startStack(
  { teardown: () => undefined },
  {
    dataDir,
    env: { ...process.env, ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' },
    seeds: file === undefined ? [] : [give(contentAdapter, adapter)],
    log: createLogger({ level: 'silent' }),
  },
)
process.stdout.write(`${stack.port}\n`)
