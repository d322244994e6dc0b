/** The proxies of the chapter about deploying, by its examples. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, type TeardownTest } from './raw.ts'
import { temporaryFolder } from './stack.ts'

export const example = (name: string): string =>
  readFileSync(new URL(`../../config/deploy/${name}`, import.meta.url), 'utf8')

const isHere = (program: string): boolean => {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`]).length > 0
  } catch {
    return false
  }
}
/** The options of a test that needs a program. */
export const needs = (program: string) => ({ skip: !isHere(program) && `${program} is not installed` })

/** Starts a proxy in front of services, without TLS, and returns its address. */
export const proxies = {
  async nginx(t: TeardownTest, ...upstreams: readonly string[]) {
    const [folder, port] = [temporaryFolder(t), await freePort()]
    const line = 'server 127.0.0.1:4200 max_fails=0;'
    const servers = upstreams.map((upstream) => line.replace('127.0.0.1:4200', upstream)).join(' ')
    const site = example('nginx.conf')
      .replace(line, servers)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      // The port is a part of this origin.
      .replace('Host $host', 'Host $http_host')
      .replace(/^ *ssl_certificate.*\n/gm, '')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    mkdirSync(join(folder, 'logs'))
    const conf = `pid ${folder}/pid;\nerror_log ${folder}/error;\ndaemon off;\nevents {}\nhttp { access_log off; ${paths.join(' ')}\n${site}}`
    writeFileSync(join(folder, 'nginx.conf'), conf)
    run(t, 'nginx', ['-e', join(folder, 'error'), '-p', folder, '-c', join(folder, 'nginx.conf')])
    return reached(`http://127.0.0.1:${port}`)
  },
  async caddy(t: TeardownTest, ...upstreams: readonly string[]) {
    const [folder, port] = [temporaryFolder(t), await freePort()]
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${example('Caddyfile')}`)
    const env = { DOMAIN: `http://127.0.0.1:${port}`, UPSTREAM: upstreams.join(' '), XDG_DATA_HOME: folder }
    run(t, 'caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], env)
    return reached(`http://127.0.0.1:${port}`)
  },
}

function run(t: TeardownTest, program: string, args: readonly string[], env: object = {}): void {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  t.teardown(() => void child.kill())
}

async function reached(address: string): Promise<string> {
  for (let n = 0; n < 100; n += 1, await pause(100)) {
    const answer = await fetch(`${address}/livez`).catch(() => undefined)
    if (answer?.ok) return address
  }
  throw new Error(`${address} does not answer`)
}
