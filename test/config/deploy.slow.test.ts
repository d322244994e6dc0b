import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { largePng } from '../helpers/media-files.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { freePort } from '../helpers/raw.ts'

const example = (name: string): string =>
  readFileSync(new URL(`../../config/deploy/${name}`, import.meta.url), 'utf8')

const isHere = (program: string): boolean => {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`]).length > 0
  } catch {
    return false
  }
}
const needs = (program: string) => ({ skip: !isHere(program) && `${program} is not installed` })

/** Starts a proxy of the examples in front of a service, without TLS, and returns its address. */
const proxies = {
  async nginx(t: Test, upstream: string) {
    const [folder, port] = [temporaryFolder(t), await freePort()]
    const site = example('nginx.conf')
      .replace('server 127.0.0.1:4200', `server ${upstream}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replace(/^ *ssl_certificate.*\n/gm, '')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    mkdirSync(join(folder, 'logs'))
    const conf = `pid ${folder}/pid;\nerror_log ${folder}/error;\ndaemon off;\nevents {}\nhttp { access_log off; ${paths.join(' ')}\n${site}}`
    writeFileSync(join(folder, 'nginx.conf'), conf)
    run(t, 'nginx', ['-e', join(folder, 'error'), '-p', folder, '-c', join(folder, 'nginx.conf')])
    return `http://127.0.0.1:${port}`
  },
  async caddy(t: Test, upstream: string) {
    const [folder, port] = [temporaryFolder(t), await freePort()]
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${example('Caddyfile')}`)
    const env = { DOMAIN: `http://127.0.0.1:${port}`, UPSTREAM: upstream, XDG_DATA_HOME: folder }
    run(t, 'caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], env)
    return `http://127.0.0.1:${port}`
  },
}

function run(t: Test, program: string, args: readonly string[], env: object = {}): void {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  t.teardown(() => void child.kill())
}

async function reached(address: string): Promise<void> {
  for (let n = 0; n < 100; n += 1, await pause(100)) {
    const answer = await fetch(`${address}/livez`).catch(() => undefined)
    if (answer?.ok) return
  }
  throw new Error(`${address} does not answer`)
}

for (const [name, start] of Object.entries(proxies)) {
  t.test(`behind ${name}, with the example of the chapter`, needs(name), async (t) => {
    const { origin } = await serveDemo(t, {
      TRUST_PROXY: '127.0.0.1',
      ACCESS_PASSWORD_HASH: hash('sha256', 'the password'),
      ORCHESTRATOR_ACCESS_TOKEN: 'a-token-for-this-test-only',
    })
    const proxy = await start(t, new URL(origin).host)
    await reached(proxy)
    const headers = { 'x-access-token': 'a-token-for-this-test-only', 'content-type': 'application/json' }
    const at = { siteId: 'demo', session: 'dev' }

    const stop = new AbortController()
    t.teardown(() => stop.abort())
    const stream = await fetch(`${proxy}/events?siteId=demo&session=dev`, { headers, signal: stop.signal })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    const hears = async (word: string): Promise<void> => {
      while (!heard.includes(word)) heard += (await reader?.read())?.value ?? ''
    }
    await hears('hello')
    const ops = [{ op: 'update_page_meta', pageSlug: '/', patch: { title: `Behind ${name}` } }]
    const edit = { method: 'POST', headers, body: JSON.stringify({ ...at, ops }) }
    t.equal((await fetch(`${proxy}/ops`, edit)).status, 200)
    await hears('previewVersion')
    t.pass('an event arrives while the stream is open')

    const picture = new FormData()
    const image = new Blob([Uint8Array.from(largePng(3 * 1024 * 1024))], { type: 'image/png' })
    picture.set('image', image, 'large.png')
    const credential = { 'x-access-token': headers['x-access-token'] }
    const sending = { method: 'POST', headers: credential, body: picture }
    const upload = await fetch(`${proxy}/image/upload`, sending)
    t.equal(upload.status, 200, 'an upload of 3 MB passes')

    const statuses = []
    for (let n = 0; n < 30; n += 1) {
      const body = JSON.stringify({ password: `wrong ${n}` })
      const forged = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${n}` }
      statuses.push((await fetch(`${proxy}/auth/verify`, { method: 'POST', headers: forged, body })).status)
    }
    t.ok(statuses.includes(429), 'a forged address does not escape the limit of passwords')
  })
}

t.test('the unit of systemd is valid', needs('systemd-analyze'), async (t) => {
  const unit = example('content-orchestrator.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true')
  const file = join(temporaryFolder(t), 'content-orchestrator.service')
  writeFileSync(file, unit)
  t.equal(execFileSync('systemd-analyze', ['verify', file]).toString(), '')
})
