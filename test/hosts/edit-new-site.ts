import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import { alone, env, run } from '../helpers/built-package.ts'
import { freePort } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'
import { openPage } from './browser.ts'
import { publish, typeHeading } from './edit-in-studio.ts'
import { secrets } from './start-site.ts'

/** The command of the package that is installed in a website. */
export const commandIn = (cwd: string): string =>
  join(
    dirname(createRequire(join(cwd, 'package.json')).resolve('content-orchestrator/package.json')),
    'dist/config/cli/bin.js',
  )

/** Starts a program of a website, which ends with the test. */
function start(
  t: Test,
  cwd: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(...alone(process.execPath, args), {
    cwd,
    env: { ...env, ...variables },
    stdio: [...stdio],
  })
  let log = ''
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  t.teardown(async () => {
    await stop()
    if (!t.passing()) t.comment(log)
  })
  return { log: () => log, stop }
}

const Registered = v.object({
  siteId: v.string(),
  draft: v.object({ state: v.string() }),
  warnings: v.array(v.string()),
})

/**
 * What a person does with a website to which `init` was added, by the commands of the package alone: starts
 * service and website, registers it, opens the studio at the address that `serve` prints, types a heading,
 * and publishes it. Returns where they are, until the test ends.
 */
export async function editNewSite(
  t: Test,
  {
    cwd,
    servicePort,
    script,
    variables,
  }: {
    readonly cwd: string
    readonly servicePort: number
    /** Starts the website, on the port of a flag or variable. */
    readonly script: readonly string[]
    readonly variables: Readonly<Record<string, string>>
  },
) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const isProduction = variables['NODE_ENV'] === 'production'
  // A service sends its token to configured addresses only, and says so.
  const ofProduction = `PUBLISH_TOKEN=${secrets.PUBLISH_TOKEN}\nSITE_PUBLIC_ORIGIN=${origin}\n`
  if (isProduction) await appendFile(join(cwd, '.env.local'), ofProduction)
  const command = commandIn(cwd)
  const look = async (): Promise<string> => (await fetch(origin)).text()
  const serve = async () => {
    const service = start(t, cwd, [command, 'serve', '--port', String(servicePort)])
    const printed = (): string => /"address":"([^"]*)"/.exec(service.log())?.[1] ?? ''
    await until(() => printed() !== '', 'the service')
    return { ...service, address: printed() }
  }
  const show = async () => {
    const site = start(t, cwd, [...script, '--port', String(port)], { PORT: String(port), ...variables })
    await until(
      () =>
        fetch(origin).then(
          ({ ok }) => ok,
          () => false,
        ),
      'the website',
    )
    return site
  }
  const [service, site] = [await serve(), await show()]
  const { address } = service
  t.equal(address, `http://localhost:${servicePort}`, 'service, studio and website share one host name')

  const about = ['--port', String(port), '--orchestrator', address, '--json']
  const { stdout } = await run(process.execPath, [command, 'register', ...about], { cwd })
  const { siteId, draft, warnings } = v.parse(Registered, JSON.parse(stdout))
  // The first registration makes the secret, and says so.
  if (warnings.some((each) => each.includes('Start it with the one of this site'))) {
    await service.stop()
    await serve()
  }
  if (draft.state === 'locked') {
    await site.stop()
    await show()
  }

  const heading = isProduction ? 'Published for all' : 'Typed while it is developed'
  const { page, errors } = await openPage(t)
  page.setDefaultTimeout(60_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${address}/studio`)
  await typeHeading(page, heading)
  const token = isProduction ? secrets.PUBLISH_TOKEN : undefined
  await publish(page, token)
  await until(async () => (await look()).includes(heading), 'the public page')
  t.pass('it is typed in the frame, published, and seen by visitors')

  const twin = address.replace('localhost', '127.0.0.1')
  await page.goto(`${twin}/studio`)
  await page
    .frameLocator('iframe')
    .first()
    .locator(`html[data-editor-selection-mode] h1:text-is("${heading}")`)
    .waitFor()
  t.pass('it is edited under the other name of this machine, whose frame gets no cookie')

  // In production React reports it by a number.
  const changed = errors.filter((text) => /hydrat|Minified React error/i.test(text))
  t.strictSame(changed, [], 'a framework finds the page as its server made it')

  for (const [editorOrigin, state] of [
    [address, 'allowed'],
    [twin, 'allowed'],
    ['https://elsewhere.example', 'refused'],
  ] as const) {
    const query = new URLSearchParams({ siteId, editorOrigin })
    const answer: unknown = await (await fetch(`${address}/sites/framing?${query}`)).json()
    t.match(answer, { state }, `the service says what the browser of ${editorOrigin} does with the draft`)
  }
  return { services: [address], siteId, site: origin, token }
}
