import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { docsPage } from '../plugins/docs/testing.ts'
import { openDocumented } from './helpers/documented.ts'
import { files } from './helpers/media-files.ts'
import { emptyList } from './helpers/plain.ts'

const { document, origin } = await openDocumented(t)
const operations = Object.values(document.paths).flatMap((item) => Object.keys(item))

const decode = (markup: string): string =>
  markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
)

const pasting = { skip: !hasCurl && 'curl is not installed' }

/** Examples that need something that does not exist yet or any more, or a key, with their status. */
const unknownThings = [
  ['/chat/plans/', '404'],
  ['/chat/stream?', '410'],
  ['/checks/dismiss', '404'],
  ['/draft/conflicts', '409'],
  ['/history/discard', '400'],
  ['/image/generate/chat', '503'],
  ['/image/interpret', '503'],
  ['/preview/screenshot', '503'],
  ['/publish/scheduled"', '400'],
  ['/publish/scheduled?siteId=demo&id', '404'],
  ['/sites-agent/start', '503'],
  ['/sites-agent/stream', '400'],
  ['/sites-agent/respond', '400'],
  ['/sites-agent/cancel', '400'],
  ['/webhooks/deliveries/', '404'],
] as const

t.test('every example of the page works when it is pasted into a shell', pasting, async (t) => {
  const shown = docsPage(document).matchAll(/<h3>Example<\/h3>\n<pre><code>(.*?)<\/code><\/pre>/gs)
  const examples = [...shown].map(([, command = '']) => decode(command))
  t.equal(examples.length, operations.length)
  // As the page says: the examples of History undo that of POST /ops.
  const ops = examples.filter((command) => command.includes('_URL/ops"'))
  const rest = examples.filter((command) => !ops.includes(command))
  const history = rest.findIndex((command) => command.includes('_URL/history/'))
  const cwd = t.testdir({ file: files.png })
  const { PATH = '' } = process.env
  const env = { PATH, ORCHESTRATOR_URL: origin, ORCHESTRATOR_ACCESS_TOKEN: '', PUBLISH_TOKEN: '' }
  const statusOf = async (command: string, seconds: number): Promise<string> => {
    const quiet = `curl --silent --output /dev/null --write-out "%{http_code}" --max-time ${seconds}`
    const line = `${command.replace(/^curl/, quiet)} || true`
    return (await promisify(execFile)('sh', ['-c', line], { env, cwd })).stdout
  }
  // A stream runs until the timeout of curl, beside the rest; anything else ends on its own, however slow the machine is.
  const isStream = (command: string): boolean => command.startsWith('curl -N')
  const streams = Promise.all(
    examples.filter(isStream).map(async (command) => ({ command, status: await statusOf(command, 5) })),
  )
  const answered: { readonly command: string; readonly status: string }[] = []
  for (const command of rest.toSpliced(history, 0, ...ops).filter((each) => !isStream(each)))
    answered.push({ command, status: await statusOf(command, 60) })
  for (const { command, status } of [...answered, ...(await streams)]) {
    const [, wanted = '200'] = unknownThings.find(([path]) => command.includes(`_URL${path}`)) ?? []
    t.equal(status, wanted, command)
  }
})

t.test('the document passes the linter without a warning', async (t) => {
  const name = join(t.testdir(), 'openapi.json')
  await writeFile(name, JSON.stringify(document))
  const redocly = fileURLToPath(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = await promisify(execFile)(process.execPath, [redocly, 'lint', name, '--format=json'], {
    env,
  })
  t.match(JSON.parse(stdout), { totals: { errors: 0, warnings: 0 }, problems: emptyList })
})
