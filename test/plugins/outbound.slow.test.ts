import type { RequestListener } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import tls from 'node:tls'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from '../helpers/property.ts'
import t, { type Test } from 'tap'
import { Refusal, use } from '../../kernel/index.ts'
import { capturedLog, mountForTest } from '../../kernel/testing.ts'
import { createClient, createOutbound, type OutboundOptions } from '../../plugins/outbound/testing.ts'
import outboundPlugin from '../../plugins/outbound/index.ts'
import { UpstreamFailure, type OutboundRequest, isBlockedAddress } from '../../plugins/outbound/port.ts'
import { fakeDns, flippingDns, silentDns } from '../helpers/dns.ts'
import { hostile } from '../helpers/hostile.ts'
import { collectGarbage } from '../helpers/memory.ts'
import { startRawSite, startSite, testCertificate } from '../helpers/upstream.ts'
import { until } from '../helpers/until.ts'

const mebibyte = 1024 * 1024
const modest = { maxBytes: mebibyte, timeoutMs: 30_000 }
const publicAddress = '8.8.8.8'
const noNames = fakeDns({})

function outboundFor(t: Test, options: Partial<OutboundOptions> = {}) {
  const outbound = createOutbound({ allowedOrigins: [], resolve: noNames.resolve, ...options })
  t.teardown(() => outbound.close())
  return outbound
}

/** The rejection of a promise, or an error if it was fulfilled. */
async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => new Error(`no rejection but ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
}

/** Every refusal that the tests in this file have seen, with all its properties. */
const refusals = new Set<string>()

/** The code of the refusal that a promise rejected with, or any other error as text. */
async function verdictOf(promise: Promise<unknown>): Promise<string> {
  const error = await rejectionOf(promise)
  if (!(error instanceof Refusal)) return String(error)
  const { message, status, headers, cause } = error
  if (error.code === 'fetch_refused') {
    refusals.add(JSON.stringify([Object.keys(error), message, status, headers, cause, error.toBody()]))
  }
  return error.code
}

// Runs concurrently with the other tests, because it waits three seconds.
const neverConnected = createOutbound({ allowedOrigins: [], resolve: silentDns.resolve })
const connectVerdict = verdictOf(
  neverConnected.fetch('http://slow.example/', { ...modest, timeoutMs: 30_000 }),
)

// First and last addresses of every blocked range, and the addresses just outside.
const ranges: readonly { readonly inside: readonly string[]; readonly outside: readonly string[] }[] = [
  { inside: ['0.0.0.0', '0.255.255.255'], outside: ['1.0.0.0'] },
  { inside: ['10.0.0.0', '10.255.255.255'], outside: ['9.255.255.255', '11.0.0.0'] },
  { inside: ['100.64.0.0', '100.127.255.255'], outside: ['100.63.255.255', '100.128.0.0'] },
  { inside: ['127.0.0.0', '127.0.0.1', '127.255.255.255'], outside: ['126.255.255.255', '128.0.0.0'] },
  { inside: ['169.254.0.0', '169.254.255.255'], outside: ['169.253.255.255', '169.255.0.0'] },
  { inside: ['172.16.0.0', '172.31.255.255'], outside: ['172.15.255.255', '172.32.0.0'] },
  { inside: ['192.0.0.0', '192.0.0.255'], outside: ['191.255.255.255', '192.0.1.0'] },
  { inside: ['192.0.2.0', '192.0.2.255'], outside: ['192.0.1.255', '192.0.3.0'] },
  { inside: ['192.88.99.0', '192.88.99.255'], outside: ['192.88.98.255', '192.88.100.0'] },
  { inside: ['192.168.0.0', '192.168.255.255'], outside: ['192.167.255.255', '192.169.0.0'] },
  { inside: ['198.18.0.0', '198.19.255.255'], outside: ['198.17.255.255', '198.20.0.0'] },
  { inside: ['198.51.100.0', '198.51.100.255'], outside: ['198.51.99.255', '198.51.101.0'] },
  { inside: ['203.0.113.0', '203.0.113.255'], outside: ['203.0.112.255', '203.0.114.0'] },
  { inside: ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'], outside: ['223.255.255.255'] },
  { inside: ['::', '::1'], outside: [] },
  { inside: ['64:ff9b:1::', '64:ff9b:1:ffff:ffff::'], outside: ['64:ff9b:2::', '64:ff9b:0:ffff::'] },
  { inside: ['100::', '100::ffff:ffff:ffff:ffff'], outside: ['ff:ffff:ffff:ffff::', '100:0:0:1::'] },
  { inside: ['2001::', '2001:0:ffff:ffff::'], outside: ['2000:ffff::', '2001:1::'] },
  { inside: ['2001:db8::', '2001:db8:ffff:ffff::'], outside: ['2001:db7:ffff::', '2001:db9::'] },
  { inside: ['3fff::', '3fff:fff:ffff:ffff::'], outside: ['3ffe:ffff::', '3fff:1000::'] },
  { inside: ['fc00::', 'fdff:ffff:ffff:ffff::'], outside: ['fbff:ffff::', 'fe00::'] },
  { inside: ['fe80::', 'febf:ffff:ffff:ffff::', 'fec0::', 'feff::'], outside: ['fe7f:ffff::'] },
  { inside: ['ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], outside: [] },
  { inside: ['::ffff:127.0.0.1', '::ffff:a9fe:a9fe'], outside: ['::ffff:8.8.8.8', '::ffff:808:808'] },
  { inside: ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254'], outside: ['64:ff9b::8.8.8.8'] },
  { inside: ['2002:7f00:1::', '2002:c0a8:101:ffff::'], outside: ['2002:808:808::1', '2002:c0a9::'] },
  { inside: ['::127.0.0.1', '::ffff:0:192.168.1.1'], outside: ['::8.8.8.8', '::ffff:0:8.8.8.8'] },
]
const blockedAddresses = ranges.flatMap(({ inside }) => inside)
const publicAddresses = ranges.flatMap(({ outside }) => outside)
const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address)

t.test('every range that is not public is blocked from its first to its last address', async (t) => {
  const missed = blockedAddresses.filter((address) => !isBlockedAddress(address))
  t.strictSame(missed, [])
  t.strictSame(publicAddresses.filter(isBlockedAddress), [])
  const zoned = ['fe80::1%eth0', '::1%nosuch', '2606::1%eth0']
  t.strictSame(zoned.map(isBlockedAddress), [true, true, false])
  const noAddresses = ['', 'localhost', '1.2.3', '[::1]', '8.8.8.8 ', '%eth0']
  const permitted = noAddresses.filter((text) => !isBlockedAddress(text))
  t.strictSame(permitted, [])
})

t.test('an IPv4 address is judged the same in every form', async () => {
  fc.assert(
    fc.property(fc.ipV4(), (ipv4) => {
      const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
      const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
      const forms = [
        `::ffff:${ipv4}`,
        `::ffff:${hex}`,
        `64:ff9b::${hex}`,
        `2002:${hex}::`,
        `2002:${hex}:1::1`,
      ]
      return forms.every((form) => isBlockedAddress(form) === isBlockedAddress(ipv4))
    }),
  )
})

t.test('an address outside the public internet is refused, literal or looked up', async (t) => {
  const literal = outboundFor(t)
  for (const address of blockedAddresses) {
    t.equal(await verdictOf(literal.fetch(`http://${inUrl(address)}/`, modest)), 'fetch_refused', address)
    const dns = fakeDns({ 'evil.example': [publicAddress, address] })
    const outbound = outboundFor(t, { resolve: dns.resolve })
    const verdict = await verdictOf(outbound.fetch('https://evil.example/', modest))
    t.equal(verdict, 'fetch_refused', `${address}, one of two`)
    t.strictSame(dns.asked, ['evil.example'], 'the name is looked up once')
  }
  t.strictSame(noNames.asked, [], 'a literal is never looked up')
})

t.test('unusual spellings, credentials, ports and schemes are refused before any connection', async (t) => {
  const site = await startSite(t, (_, response) => response.end())
  const { log, lines } = capturedLog()
  const dns = fakeDns({
    localhost: ['127.0.0.1', '::1'],
    'localhost.': ['127.0.0.1'],
    'a.localhost': ['::1'],
    'rebind.example': ['127.0.0.1'],
  })
  const outbound = outboundFor(t, { allowedOrigins: [site.origin], resolve: dns.resolve, log })
  const spellings =
    'http://2130706433/ http://017700000001/ http://0x7f000001/ http://0x7f.1/ http://127.1/ http://0/ ' +
    'http://0177.0.0.01/ http://127.0.0.1./ http://①②⑦.⓪.⓪.①/ http://127。0。0。1/ http://%31%32%37.0.0.1/ ' +
    'http:\\\\127.0.0.1\\ http:127.0.0.1 http://127.0.0.1:8080/ https://169.254.169.254/latest/meta-data/ ' +
    'http://[::ffff:127.0.0.1]/ http://[::FFFF:7F00:0001]/ http://[0:0:0:0:0:0:0:1]/ https://[::1]:8443/ ' +
    'http://[fd00:ec2::254]/ http://localhost/ http://LOCALHOST/ http://localhost./ http://a.localhost:8080/ ' +
    'http://rebind.example/ https://user:pw@example.com/ http://example.com:22/ https://example.com:6379/'
  const schemes =
    'file:///etc/passwd ftp://example.com/ gopher://127.0.0.1/ data:text/plain,hi javascript:alert(1) ' +
    'ws://example.com/ about:blank chrome://version view-source:http://127.0.0.1/ example.com //example.com/ ' +
    'http:// http://[::1 http://1.2.3.256/ http://\0/'
  const own = [
    `http://user@127.0.0.1:${site.port}/`,
    `http://:pw@127.0.0.1:${site.port}/`,
    `http://127.0.0.1:${site.port}@10.0.0.1/`,
    `http://localhost.:${site.port}/`,
    `https://127.0.0.1:${site.port}/`,
    `blob:${site.origin}/1`,
  ]
  const odd = ['', 'http://a b/', ' http://127.0.0.1\n']
  const addresses = [...spellings.split(' '), ...schemes.split(' '), ...own, ...odd]
  for (const address of addresses) {
    t.equal(await verdictOf(outbound.fetch(address, modest)), 'fetch_refused', JSON.stringify(address))
  }
  t.equal(site.seen.length, 0)
  t.equal(lines.length, addresses.length, 'each is logged')
  t.ok(lines.some((line) => line.includes('"rule":"port","host":"example.com:22"')))
  t.notMatch(lines.join(''), /pw|meta-data/, 'without login and path')
})

t.test('localhost is refused with the resolver of the operating system', async (t) => {
  const outbound = createOutbound({ allowedOrigins: [] })
  t.teardown(() => outbound.close())
  t.equal(await verdictOf(outbound.fetch('http://localhost:8080/', modest)), 'fetch_refused')
})

t.test('a listed origin may be called, by both loopback names, on its own port and scheme', async (t) => {
  const site = await startSite(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  })
  const resolve = fakeDns({ localhost: ['127.0.0.1'] }).resolve
  const outbound = outboundFor(t, { allowedOrigins: [`http://LOCALHOST:${site.port}/`], resolve })
  for (const host of ['localhost', '127.0.0.1', '127.1', '0x7f.0.0.1']) {
    const options = { ...modest, types: ['application/json'] }
    const answer = await outbound.fetch(`http://${host}:${site.port}/a?b=c#d`, options)
    t.strictSame([answer.status, answer.json()], [200, { ok: true }], host)
  }
  t.strictSame(new Set(site.seen.map(({ url }) => url)), new Set(['/a?b=c']))
  t.equal(outbound.isAllowedOrigin(`http://127.0.0.1:${site.port}/x`), true)
  t.equal(outbound.isAllowedOrigin(new URL(`http://localhost:${site.port}`)), true)
  const elsewhere = ['http://localhost', `https://localhost:${site.port}`, `http://[::1]:${site.port}`]
  const others = [...elsewhere, `http://a@localhost:${site.port}`, '']
  t.strictSame(others.filter(outbound.isAllowedOrigin), [])
  t.equal(await verdictOf(outbound.fetch(`http://127.0.0.1:${site.port + 1}/`, modest)), 'fetch_refused')
})

t.test('an origin allowed by a caller is allowed for that request only', async (t) => {
  const site = await startSite(t, (_, response) => response.end('hi'))
  const outbound = outboundFor(t)
  const allowOrigins = [`${site.origin}/preview`, 'javascript:1', '']
  t.equal((await outbound.fetch(site.origin, { ...modest, allowOrigins })).text(), 'hi')
  // The connection is still open.
  for (const more of [{}, { allowOrigins: ['https://example.com'] }])
    t.equal(await verdictOf(outbound.fetch(site.origin, { ...modest, ...more })), 'fetch_refused')
})

t.test('an invalid configured origin fails the start without being printed', async (t) => {
  const env = {
    ORCHESTRATOR_CORS_ORIGINS: 'http://localhost:3000,https://example.com/',
    SITE_PUBLIC_ORIGIN: 'https://user:hunter2@example.com',
    FETCH_ALLOWED_ORIGINS: ' , http://localhost:3000/cms/ ,foo,, *',
  }
  const error = await rejectionOf(mountForTest(t, { plugins: [use(outboundPlugin)], env }).ready())
  const expected = 'expected an origin such as https://cms.example, without a login'
  t.match(error, {
    name: 'BootError',
    problems: [
      `environment variable SITE_PUBLIC_ORIGIN: ${expected}`,
      `environment variable FETCH_ALLOWED_ORIGINS: ${expected}, instead of 'foo'`,
    ],
  })
  t.notMatch(String(error), /hunter2/)
})

t.test('a connection resolves its name once and uses the address that was checked', async (t) => {
  const site = await startSite(t, ({ url }, response) => {
    response.writeHead(200, url === '/last' ? { connection: 'close' } : {}).end()
  })
  const dns = flippingDns(['127.0.0.1'], ['127.0.0.2'])
  const client = createClient({
    resolve: dns.resolve,
    connections: 1,
    permits: (address) => address === '127.0.0.1',
  })
  t.teardown(() => client.close())
  const send = async (path: string) => {
    const url = new URL(path, `http://site.test:${site.port}`)
    const request = { url, method: 'GET', headers: {}, body: null }
    const answer = await client.send(request, AbortSignal.timeout(2000))
    await answer.body.toArray()
    await setImmediate() // the connection is free again one turn later
    return answer.status
  }
  t.equal(await send('/first'), 200)
  t.equal(await send('/last'), 200)
  t.strictSame(dns.asked, ['site.test'], 'the second request uses the connection of the first')
  const hosts = site.seen.map(({ headers }) => headers.host)
  t.strictSame(hosts, Array(2).fill(`site.test:${site.port}`))
  await t.rejects(send('/rebound'), { name: 'Blocked', rule: 'address' })
  t.equal(dns.asked.length, 2)
  t.equal(site.seen.length, 2)
})

t.test('a name that changes to a private address is refused at every lookup', async (t) => {
  const mixed = [
    [publicAddress, '10.0.0.1'],
    ['::ffff:10.0.0.1', publicAddress],
  ]
  const privateOnes = [['127.0.0.1'], ...mixed, ['no address']]
  const outbound = outboundFor(t, { resolve: flippingDns(...privateOnes, []).resolve })
  const verdict = () => verdictOf(outbound.fetch('http://flip.example/', modest))
  for (const addresses of privateOnes) t.equal(await verdict(), 'fetch_refused', addresses.join())
  t.equal(await verdict(), 'upstream_unreachable', 'no address at all')
})

t.test('a connection whose peer turns out to be blocked is dropped before anything is sent', async (t) => {
  const site = await startSite(t, (_, response) => response.end())
  const judged: string[] = []
  const permits = (address: string): boolean => judged.push(address) === 1
  const client = createClient({ resolve: async () => ['127.0.0.1'], connections: 8, permits })
  t.teardown(() => client.close())
  const request = { url: new URL(`http://site.test:${site.port}/`), method: 'GET', headers: {}, body: null }
  await t.rejects(client.send(request, AbortSignal.timeout(2000)), { name: 'Blocked', rule: 'peer' })
  t.strictSame(judged, ['127.0.0.1', '127.0.0.1'])
  t.equal(site.seen.length, 0)
})

t.test('at most three redirects are followed, and each is checked', async (t) => {
  const { port, origin, seen } = await startSite(t, ({ url = '/', headers }, response) => {
    const { searchParams, pathname } = new URL(url, `http://${headers.host}`)
    const left = Number(searchParams.get('left'))
    searchParams.set('left', String(left - 1))
    const location = left > 0 ? `${pathname}?${searchParams}` : searchParams.get('to')
    if (location !== null) response.writeHead(302, { location })
    response.end('arrived')
  })
  const { log, lines } = capturedLog()
  const resolve = fakeDns({ 'evil.example': ['10.0.0.1'] }).resolve
  const outbound = outboundFor(t, { allowedOrigins: [origin], log, resolve })

  const arrived = await outbound.fetch(`${origin}/here?left=3`, modest)
  t.strictSame([arrived.status, arrived.text(), arrived.url], [200, 'arrived', `${origin}/here?left=0`])
  t.equal(await verdictOf(outbound.fetch(`${origin}/?left=4`, modest)), 'fetch_refused')
  t.equal(seen.length, 8, 'the fourth redirect is not followed')

  const elsewhere =
    'http://169.254.169.254/ http://127.0.0.1/ //127.0.0.1:8080/ http://[::ffff:127.0.0.1]/ https://2130706433/ ' +
    'http://evil.example/ http://127.0.0.1:22/ file:///etc/passwd javascript:1 http://'
  const targets = elsewhere.split(' ').concat(`http://user:pw@127.0.0.1:${port}/`, `http://[::1]:${port}/`)
  for (const target of targets) {
    const to = encodeURIComponent(target)
    for (const left of [0, 2]) {
      const verdict = await verdictOf(outbound.fetch(`${origin}/?left=${left}&to=${to}`, modest))
      t.equal(verdict, 'fetch_refused', `${target} after ${left} other redirects`)
    }
  }
  t.match(lines.map((line) => String(JSON.parse(line).rule)).slice(0, 3), ['redirects', 'address', 'address'])
})

t.test('a redirect repeats a request as browsers do, and drops its headers for another origin', async (t) => {
  const second = await startSite(t, (_, response) => response.end('second'))
  const first = await startSite(t, ({ url }, response) => {
    const [, status = '200', place] = url?.split('/') ?? []
    response.writeHead(Number(status), { location: place === 'away' ? `${second.origin}/` : '/200' }).end()
  })
  const outbound = outboundFor(t, { allowedOrigins: [first.origin, second.origin] })
  const tokens = { Authorization: 'Bearer t', 'X-Publish-Token': 't' }
  const notTheirs = { Cookie: 'a=b', Host: 'evil.example', 'User-Agent': 'me', 'Content-Length': '1' }
  const options: OutboundRequest = { ...modest, json: { a: 1 }, headers: { ...tokens, ...notTheirs } }

  for (const status of [301, 302, 303, 307, 308]) {
    const expected = status < 307 ? { method: 'GET', body: '' } : { method: 'POST', body: '{"a":1}' }
    await outbound.fetch(`${first.origin}/${status}/here`, options)
    const headers = { authorization: 'Bearer t', 'x-publish-token': 't' }
    t.match(first.seen.at(-1), { ...expected, url: '/200', headers }, `${status} here`)
    await outbound.fetch(`${first.origin}/${status}/away`, options)
    t.match(second.seen.at(-1), { ...expected, url: '/' }, `${status} away`)
    const forwarded = Object.keys(second.seen.at(-1)?.headers ?? {})
    const kept = forwarded.filter((name) => /^(x-|auth|cookie)/.test(name))
    t.strictSame(kept, [], `${status} away drops them`)
  }
  await outbound.fetch(`${first.origin}/303/here`, { ...modest, method: 'HEAD' })
  t.match(first.seen.at(-1), { method: 'HEAD', url: '/200' })
  const headers = {
    host: new URL(first.origin).host,
    'user-agent': 'content-orchestrator',
    'content-type': 'application/json',
    'content-length': '7',
    'accept-encoding': 'gzip, br, deflate',
    accept: '*/*',
    cookie: undefined,
  }
  t.match(first.seen[0], { method: 'POST', body: '{"a":1}', headers })
})

t.test('an editor route is asked in the spelling that its website knows, which is remembered', async (t) => {
  let known = /\/$/
  const site = await startSite(t, ({ url = '' }, response) => {
    const [path = ''] = url.split('?')
    response.writeHead(known.test(path) && !path.includes('none') ? 200 : 404).end(path)
  })
  const outbound = outboundFor(t, { allowedOrigins: [site.origin] })
  const asked = async (path: string, request: Partial<OutboundRequest> = {}) => {
    const from = site.seen.length
    const { status } = await outbound.fetch(site.origin + path, { ...modest, ...request })
    const seen = site.seen.slice(from).map(({ method, url, body }) => [method, url, body].join(' ').trim())
    return [status, ...seen]
  }
  const publish = { method: 'POST', json: { pages: [] } } as const
  t.strictSame(await asked('/api/editor/publish', publish), [
    200,
    'POST /api/editor/publish {"pages":[]}',
    'POST /api/editor/publish/ {"pages":[]}',
  ])
  t.strictSame(await asked('/api/editor/pages?siteId=a'), [200, 'GET /api/editor/pages/?siteId=a'])
  t.strictSame(await asked('/about'), [404, 'GET /about'], 'other addresses are asked as they are')
  known = /[^/]$/
  const both = ['GET /api/editor/blocks/', 'GET /api/editor/blocks']
  t.strictSame(await asked('/api/editor/blocks'), [200, ...both], 'a website that was configured anew')
  t.strictSame(await asked('/api/editor/blocks'), [200, 'GET /api/editor/blocks'])
  t.strictSame(await asked('/api/editor/none'), [404, 'GET /api/editor/none', 'GET /api/editor/none/'])
})

t.test('a read that asks for it is repeated after a fault that passes, at most three times', async (t) => {
  let faults: (number | 'broken')[] = []
  const site = await startSite(t, (request, response) => {
    const fault = faults.shift()
    if (fault === 'broken') return void request.socket.resetAndDestroy()
    response.writeHead(fault ?? 200, { 'retry-after': '0' }).end()
  })
  const outbound = outboundFor(t, { allowedOrigins: [site.origin] })
  const after = async (of: typeof faults, more: Partial<OutboundRequest> = { repeats: true }) => {
    faults = [...of]
    const before = site.seen.length
    const answer = await outbound
      .fetch(site.origin, { ...modest, ...more })
      .catch(({ code }) => ({ status: code }))
    return [answer.status, site.seen.length - before]
  }
  t.strictSame(await after([502, 503, 504]), [200, 4])
  t.strictSame(await after(['broken', 429]), [200, 3])
  t.strictSame(await after([503, 503, 503, 503]), [503, 4])
  t.strictSame(await after([500]), [500, 1], 'another fault stays')
  t.strictSame(await after([503], {}), [503, 1], 'only if asked for')
  const write = { json: {}, repeats: true } as const
  t.strictSame(await after([503], write), [503, 1], 'a write may have been carried out')
  t.strictSame(await after(['broken'], write), ['upstream_unreachable', 1])
  t.strictSame(await after([429], write), [200, 2])
})

t.test('forms are sent with their types, and again on a redirect that keeps the method', async (t) => {
  const { origin, seen } = await startSite(
    t,
    ({ url }, response) =>
      void response.writeHead(url === '/again' ? 307 : url === '/once' ? 303 : 200, { location: '/' }).end(),
  )
  const outbound = outboundFor(t, { allowedOrigins: [origin] })
  const search = new URLSearchParams({ a: 'b c', d: 'ä' })
  await outbound.fetch(`${origin}/once`, {
    ...modest,
    form: search,
    headers: { 'content-type': 'text/plain' },
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  t.match(seen, [
    { method: 'POST', body: 'a=b+c&d=%C3%A4', headers },
    { method: 'GET', body: '', headers: { 'content-type': undefined } },
  ])
  const form = new FormData()
  form.append('model', 'm')
  form.append('file', new File(['ab', 'cd'], 'a.txt', { type: 'text/plain' }))
  await outbound.fetch(`${origin}/again`, { ...modest, form })
  for (const { method, headers, body } of seen.slice(-2)) {
    t.equal(method, 'POST')
    t.equal(headers['content-length'], String(body.length))
    const type = { 'content-type': headers['content-type'] ?? '' }
    const read = await new Response(body, { headers: type }).formData()
    const file = read.get('file')
    t.equal(read.get('model'), 'm')
    t.match(file, { name: 'a.txt', type: 'text/plain' })
    t.equal(file instanceof File && (await file.text()), 'abcd')
  }
  await outbound.fetch(origin, { ...modest, form, method: 'GET' })
  t.match(seen.at(-1), { method: 'GET', body: '' })
})

t.test('over TLS the certificate must match the name, and a redirect to http is refused', async (t) => {
  const plain = await startSite(t, (_, response) => response.end())
  const answer: RequestListener = ({ url }, response) =>
    void response.writeHead(url === '/down' ? 302 : 200, { location: plain.origin }).end('safe')
  const site = await startSite(t, answer, { tls: true })
  const dns = fakeDns({ 'site.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] })
  const [fitting, other] = [`https://site.test:${site.port}`, `https://other.test:${site.port}`]
  const outbound = outboundFor(t, { allowedOrigins: [plain.origin, fitting, other], resolve: dns.resolve })
  t.equal(await verdictOf(outbound.fetch(fitting, modest)), 'upstream_unreachable', 'self-signed')

  const known = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...known, testCertificate])
  t.teardown(() => tls.setDefaultCACertificates(known))
  t.equal((await outbound.fetch(fitting, modest)).text(), 'safe')
  t.match(site.seen, [{ servername: 'site.test', headers: { host: `site.test:${site.port}` } }])
  t.equal(await verdictOf(outbound.fetch(other, modest)), 'upstream_unreachable', 'not its certificate')
  t.equal(await verdictOf(outbound.fetch(`${fitting}/down`, modest)), 'fetch_refused')
  t.equal(plain.seen.length, 0)
})

t.test('a response of any status is returned, decompressed, with normalised headers', async (t) => {
  const text = JSON.stringify({ greeting: 'Grüße' })
  const bodies: Readonly<Record<string, readonly [encoding: string, body: Uint8Array]>> = {
    plain: ['identity', Buffer.from(`\uFEFF${text}`)],
    gzip: ['GZIP', gzipSync(text)],
    br: ['br', brotliCompressSync(text)],
    deflate: ['deflate', deflateSync(text)],
    none: ['gzip', Buffer.alloc(0)],
  }
  const { origin } = await startSite(t, ({ url = '' }, response) => {
    const [, status, name = ''] = url.split('/')
    const [encoding = '', body = Buffer.alloc(0)] = bodies[name] ?? []
    response.setHeaders(
      new Map<string, string | string[]>([
        ['Content-Type', 'Application/JSON; charset=utf-8'],
        ['Content-Encoding', encoding],
        ['X-Two', ['a', 'b']],
        ['constructor', 'c'],
      ]),
    )
    response.writeHead(Number(status), { 'content-length': body.length }).end(body)
  })
  const outbound = outboundFor(t, { allowedOrigins: [origin] })
  for (const name of ['plain', 'gzip', 'br', 'deflate']) {
    for (const status of [200, 201, 302, 404, 409, 500]) {
      const options = { ...modest, types: ['application/json'] }
      const answer = await outbound.fetch(`${origin}/${status}/${name}`, options)
      t.strictSame([answer.status, answer.json()], [status, { greeting: 'Grüße' }], `${status} ${name}`)
      t.strictSame([answer.headers['x-two'], answer.headers['constructor']], ['a, b', 'c'])
    }
    const head = await outbound.fetch(`${origin}/200/${name}`, { ...modest, method: 'HEAD', maxBytes: 0 })
    t.strictSame([head.status, head.bytes.length], [200, 0], `HEAD ${name}`)
  }
  for (const status of [200, 204, 304]) {
    const answer = await outbound.fetch(`${origin}/${status}/none`, modest)
    t.strictSame([answer.status, answer.text()], [status, ''], `${status} without a body`)
  }
  const page = await outbound.fetch(`${origin}/404/gzip`, { ...modest, types: ['image/png'] })
  t.equal(page.status, 404, 'an error page may have any type')
})

t.test('the size limit applies to the decompressed body, exact to the byte', async (t) => {
  const { origin } = await startSite(t, ({ url }, response) => {
    const body = Buffer.alloc(70_000, 'x')
    if (url === '/plain') response.end(body)
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body))
  })
  const outbound = outboundFor(t, { allowedOrigins: [origin] })
  for (const path of ['/plain', '/gzip']) {
    const fetchAtMost = (maxBytes: number) => outbound.fetch(origin + path, { ...modest, maxBytes })
    t.equal((await fetchAtMost(70_000)).bytes.length, 70_000)
    t.equal(await verdictOf(fetchAtMost(69_999)), 'upstream_too_large')
  }
})

t.test('a hostile or broken server costs neither much time nor memory', async (t) => {
  const site = await startRawSite(t, hostile)
  const outbound = outboundFor(t, { allowedOrigins: [site.origin] })
  const pathsOf = {
    too_large:
      'endless declared gzipBomb brotliBomb hollowGzip crumbs encodingLines hugeHeader endlessHeaders',
    wrong_type: 'manyEncodings twoEncodings unknownEncoding html noType',
    timeout: 'endlessInterim dripBody dripHead silent silentBody',
    unreachable: 'reset cutShort notGzip cutGzip notHttp',
  }
  const kinds = Object.entries(pathsOf).flatMap(([kind, paths]) =>
    paths.split(' ').map((path) => [path, kind] as const),
  )
  const tried = kinds.map(([path]) => path)
  t.strictSame(tried.toSorted(), Object.keys(hostile).toSorted())
  for (const [path, kind] of kinds) {
    const timeoutMs = kind === 'timeout' ? 250 : 20_000
    const options = { maxBytes: mebibyte, timeoutMs, types: ['application/json'] }
    let error: unknown
    const growth = await memoryGrowthOf(async () => {
      error = await rejectionOf(outbound.fetch(`${site.origin}/${path}`, options))
    })
    t.match(error, { status: 502, kind, code: `upstream_${kind}` }, path)
    const keys = error instanceof UpstreamFailure ? Object.keys(error.toBody()) : []
    t.strictSame(keys, ['error', 'code', 'reason'], `${path} does not leak its content`)
    t.ok(growth < 20, `${path} took ${growth.toFixed(1)} MiB`)
  }
  await until(() => site.open() === 0)
  t.equal(site.open(), 0, 'no connection is left open')
})

t.test('a silent name server, a closed port and an abort by the caller end the wait', async (t) => {
  const site = await startRawSite(t, hostile)
  const brief = { ...modest, timeoutMs: 200 }
  const lost = outboundFor(t, { resolve: silentDns.resolve })
  // The end of the wait for a connection, after three seconds, has another verdict.
  t.equal(await verdictOf(lost.fetch('http://slow.example/', brief)), 'upstream_timeout')
  t.equal(await verdictOf(outboundFor(t).fetch('http://unknown.example/', brief)), 'upstream_unreachable')

  const outbound = outboundFor(t, { allowedOrigins: [site.origin, 'http://127.0.0.1:1'] })
  t.equal(await verdictOf(outbound.fetch('http://127.0.0.1:1/', modest)), 'upstream_unreachable')
  const split = { ...modest, headers: { 'x-token': 'a\r\nb: c' } }
  t.equal(await verdictOf(outbound.fetch(site.origin, split)), 'upstream_unreachable')

  const reason = new Error('the client has left')
  for (const path of ['silent', 'dripBody']) {
    const caller = new AbortController()
    setTimeout(() => caller.abort(reason), 50)
    const abandoned = outbound.fetch(`${site.origin}/${path}`, { ...modest, signal: caller.signal })
    t.equal(await rejectionOf(abandoned), reason, path)
  }
  const gone = { ...modest, signal: AbortSignal.abort(reason) }
  t.equal(await rejectionOf(outbound.fetch(`${site.origin}/silent`, gone)), reason)
})

t.test('a stream is available after its headers, its body subject to limits and abort', async (t) => {
  const site = await startSite(t, (request, response) => {
    response.writeHead(request.url === '/moved' ? 302 : 200, { location: '/elsewhere' })
    if (request.url === '/large') return void response.end('x'.repeat(5000))
    response.write('one')
    if (request.url === '/moved') response.end()
    if (request.url === '/cut') setTimeout(() => response.destroy(), 20)
  })
  const outbound = outboundFor(t, { allowedOrigins: [site.origin] })
  const open = (path: string, more: Partial<OutboundRequest> = {}) =>
    outbound.stream(site.origin + path, { ...modest, ...more })
  const toText = async (body: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Array.fromAsync(body)).toString()
  const read = async (path: string, more: Partial<OutboundRequest>) => toText((await open(path, more)).body)
  const { status, headers, body } = await open('/slow')
  t.match([status, headers], [200, { location: '/elsewhere' }])
  for await (const piece of body) {
    t.equal(Buffer.from(piece).toString(), 'one')
    break
  }
  t.equal(site.seen[0]?.headers['accept-encoding'], 'identity', 'a compressed stream would be buffered')
  for (const [path, more, verdict] of [
    ['/slow', { timeoutMs: 200 }, 'upstream_timeout'],
    ['/large', { maxBytes: 4999 }, 'upstream_too_large'],
    ['/cut', {}, 'upstream_unreachable'],
  ] as const)
    t.equal(await verdictOf(read(path, more)), verdict)
  const reason = new Error('the client has left')
  const caller = new AbortController()
  const abandoned = read('/slow', { signal: caller.signal })
  setTimeout(() => caller.abort(reason), 50)
  t.equal(await rejectionOf(abandoned), reason)
  const moved = await open('/moved', { followsRedirects: false })
  t.match([moved.status, await toText(moved.body)], [302, 'one'])
  t.equal(await verdictOf(outboundFor(t).stream(site.origin, modest)), 'fetch_refused')
  const closed = 'http://127.0.0.1:1'
  const missing = outbound.stream(closed, { ...modest, allowOrigins: [closed] })
  t.equal(await verdictOf(missing), 'upstream_unreachable')
})

t.test('closing aborts pending and later requests', async (t) => {
  const site = await startRawSite(t, hostile)
  const outbound = createOutbound({ allowedOrigins: [site.origin] })
  const pending = verdictOf(outbound.fetch(`${site.origin}/silent`, modest))
  await until(() => site.open() === 1)
  await outbound.close()
  t.equal(await pending, 'upstream_unreachable')
  t.equal(await verdictOf(outbound.fetch(`${site.origin}/html`, modest)), 'upstream_unreachable')
})

t.test('the connect timeout is three seconds, whatever the response timeout is', async (t) => {
  // No timer of a request keeps a process running; in a service its server does.
  const server = setInterval(() => undefined, 1_000)
  t.teardown(() => clearInterval(server))
  // The verdict of the time limit of the call, thirty seconds, is another.
  t.equal(await connectVerdict, 'upstream_unreachable')
  await neverConnected.close()
})

t.test('all refusals of these tests are identical', async (t) => {
  t.equal(refusals.size, 1)
  t.match([...refusals][0], /"reason":"This address may not be fetched\..*FETCH_ALLOWED_ORIGINS/)
})

/**
 * The peak growth of the resident set in MiB during a run. If it is large, the run is repeated and the
 * smaller growth counts: the first run may have made V8 enlarge its space for young objects, once.
 */
async function memoryGrowthOf(run: () => Promise<void>): Promise<number> {
  const growth = await measureGrowth(run)
  return growth < 10 ? growth : Math.min(growth, await measureGrowth(run))
}

async function measureGrowth(run: () => Promise<void>): Promise<number> {
  collectGarbage()
  const before = process.memoryUsage.rss()
  let peak = before
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 2)
  await run()
  look()
  clearInterval(timer)
  return (peak - before) / mebibyte
}
