import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { DevServerError } from '../../plugins/checkout/port.ts'
import { startOf } from '../../plugins/processes/testing.ts'
import { checkoutOf, put, website } from '../helpers/checkouts.ts'
import { until } from '../helpers/until.ts'

const soon = (): AbortSignal => AbortSignal.timeout(60_000)

t.test('the server runs in the checkout, with the variables that it was given alone', async (t) => {
  const { PATH } = process.env
  const checkout = await checkoutOf(t, website(t), {
    env: { PATH, SITE: '1', npm_lifecycle_event: 'npx', NONE: undefined },
  })
  t.equal(checkout.origin, undefined)
  await Promise.all([checkout.start(soon()), checkout.start(soon())])
  const read = async (path: string) => (await fetch(`${checkout.origin}${path}`)).text()
  t.match(await read('/'), 'We build boats.')
  const variables = JSON.parse(await read('/variables')) as Record<string, string>
  t.match(variables, { SITE: '1', BROWSER: 'none', PORT: /^\d+$/, npm_lifecycle_event: 'dev' })
  t.ok(variables['PATH']?.includes(join(checkout.folder, 'node_modules/.bin')))
  t.notOk(
    Object.keys(variables).some((name) => name.startsWith('TAP')),
    'nothing of this process',
  )
  await checkout.write([{ path: 'page.txt', text: 'Draft' }])
  t.match(await read('/'), 'Draft')
  t.equal(checkout.log().filter((line) => line.startsWith('Ready')).length, 1, 'two calls start one server')
})

t.test('an end of the server is seen, and it starts again', async (t) => {
  const checkout = await checkoutOf(t, website(t))
  await checkout.start(soon())
  const { origin } = checkout
  await fetch(`${origin}/end`).catch(() => undefined)
  await until(() => checkout.origin === undefined, 'the end of the server')
  await checkout.start(soon())
  t.ok((await fetch(`${checkout.origin}/`)).ok)
})

t.test('a close ends all processes, and the checkout can be started again', async (t) => {
  const sleeping =
    "import { spawn } from 'node:child_process'\nspawn('sleep', ['600'], { stdio: 'inherit' }).on('spawn', function () { console.log(`sleeps ${this.pid}`) })\nimport './server.mjs'\n"
  const site = website(t, {
    'package.json': JSON.stringify({ scripts: { dev: 'node start.mjs' } }),
    'start.mjs': sleeping,
  })
  const checkout = await checkoutOf(t, site)
  await checkout.start(soon())
  await until(() => checkout.log().some((line) => line.startsWith('sleeps ')))
  const { origin = '' } = checkout
  const pid = Number(/sleeps (\d+)/.exec(checkout.log().join('\n'))?.[1])
  t.ok(await startOf(pid))
  await checkout.close()
  t.equal(checkout.origin, undefined)
  t.equal(await startOf(pid), undefined)
  await t.rejects(fetch(origin))
  await checkout.start(soon())
  t.ok((await fetch(`${checkout.origin}/`)).ok)
})

t.test('a close while it starts ends the start', async (t) => {
  const site = website(t, { 'package.json': JSON.stringify({ scripts: { dev: 'sleep 600' } }) })
  const checkout = await checkoutOf(t, site)
  const starting = checkout.start(soon())
  const failed = t.rejects(starting)
  await pause(100)
  await checkout.close()
  await failed
})

t.test('a server that does not start says why, with its log and what helps', async (t) => {
  const site = website(t)
  const { PATH } = process.env
  const failing = await checkoutOf(t, site, { env: { PATH, FAILS: '1' } })
  const error = await failing.start(soon()).catch((each: unknown) => each)
  t.ok(error instanceof DevServerError)
  t.match(error, {
    message:
      /^`npm run dev` ended with code 1\. If packages are missing, run `npm install`[^]*Cannot find module 'boats'/,
  })
  writeFileSync(join(site.folder, 'package.json'), JSON.stringify({ scripts: { dev: 'no-such-generator' } }))
  await t.rejects((await checkoutOf(t, site)).start(soon()), {
    message: /ended with code 127\. The program is not on this machine: install it, or run `npm install`/,
  })
  writeFileSync(join(site.folder, 'package.json'), '{}')
  const without = await checkoutOf(t, site)
  await t.rejects(without.start(soon()), { name: 'DevServerError', message: /no script that starts/ })
})

t.test('a server whose port another program took meanwhile starts on another one', async (t) => {
  const site = website(t, {
    'package.json': JSON.stringify({ scripts: { dev: 'node taken.mjs' } }),
    'taken.mjs':
      "import { existsSync, writeFileSync } from 'node:fs'\nif (existsSync('taken')) await import('./server.mjs')\n" +
      "else {\n  writeFileSync('taken', process.env.PORT)\n  throw new Error(`listen EADDRINUSE: address already in use :::${process.env.PORT}`)\n}\n",
  })
  const checkout = await checkoutOf(t, site)
  await checkout.start(soon())
  t.match(await (await fetch(checkout.origin ?? '')).text(), 'We build boats.')
})

t.test('a server that listens on a port of its own is found by its log', async (t) => {
  const site = website(t, {
    'package.json': JSON.stringify({ scripts: { dev: 'node own.mjs' } }),
    'own.mjs':
      "import { createServer } from 'node:http'\nconst server = createServer((_, response) => response.end('own'))\n" +
      'server.listen(0, () => console.log(`\\x1b[32mLocal: http://127.0.0.1:${server.address().port}/base/\\x1b[0m`))\n',
  })
  put(join(site.folder, 'x'), '')
  const checkout = await checkoutOf(t, site)
  await checkout.start(soon())
  t.equal(checkout.home, '/base/')
  t.equal(await (await fetch(`${checkout.origin}/`)).text(), 'own')
})
