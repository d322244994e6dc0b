import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { createSiteEditor, type SiteEditorOptions } from '../../config/site.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { serve } from '../helpers/raw.ts'
import { folderWith, orchestrator, smallConfig } from './helpers.ts'

const editorOrigin = 'https://editor.example'
const secrets = { PUBLISH_TOKEN: 'canary-publish-token-1234', DRAFT_MODE_SECRET: 'canary-draft-secret-1234' }
const page = { id: 'p', slug: '/', title: 'P', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [] }

/** The address of a correct site, except for these options and the answers of `listener`. */
async function startSite(
  t: Test,
  options: Partial<SiteEditorOptions> = {},
  answers: Readonly<Record<string, RequestListener>> = {},
): Promise<string> {
  const mounted = createSiteEditor({
    adapter: jsonFile(`${folderWith(t, { 'pages.json': JSON.stringify([page]) })}/pages.json`),
    publish: () => ({ ok: t.fail('doctor published'), slugs: [] }),
    publishSecret: secrets.PUBLISH_TOKEN,
    draftSecret: secrets.DRAFT_MODE_SECRET,
    editorOrigins: [editorOrigin],
    logger: capturedLog('silent').log,
    ...options,
  })
  t.teardown(() => mounted.close())
  return serve(t, (request, response) => {
    const own = answers[request.url?.split('?')[0]?.slice('/api/editor'.length) ?? '']
    if (own) own(request, response)
    else void mounted.node(request, response)
  })
}

const Findings = v.array(v.object({ item: v.string(), state: v.string(), says: v.string() }))

/** The findings about a site, in an installation that matches it except for these variables. */
async function diagnose(
  t: Test,
  origin: string,
  more: Readonly<Record<string, string>> = {},
  patience = 20_000,
) {
  const folder = folderWith(t, { 'orchestrator.config.json': smallConfig() })
  const env = {
    ...secrets,
    NEXT_PUBLIC_SITE_URL: origin,
    ORCHESTRATOR_CORS_ORIGINS: `${origin},${editorOrigin}`,
    ...more,
  }
  const flags = ['doctor', '--json', '--site', origin]
  const { code, out, err } = await orchestrator(folder, flags, { env, patience })
  t.equal(err, '')
  t.notMatch(out, /canary/)
  const found = v.parse(Findings, JSON.parse(out)).filter(({ item }) => item.startsWith('Site: '))
  const site = Object.fromEntries(found.map(({ item, state, says }) => [item.slice(6), `${state} ${says}`]))
  return { code, site }
}

const fine = {
  pages: 'ok It answers with 1 published page.',
  manifest: 'ok It declares 18 block types.',
  'draft secret': 'ok It accepts DRAFT_MODE_SECRET.',
  'publish secret': 'ok It accepts PUBLISH_TOKEN, and refuses requests without it.',
  editors: `ok Pages of ${editorOrigin} may call it, and of no other origin.`,
  origin: 'ok Its origin is among those that may call here and that content is published to.',
  address: 'ok NEXT_PUBLIC_SITE_URL is the address that was checked.',
}

t.test('a correct site passes every check, and nothing is published', async (t) => {
  const origin = await startSite(t)
  t.strictSame((await diagnose(t, origin)).site, fine)
  const twin = origin.replace('127.0.0.1', 'localhost')
  const env = { NEXT_PUBLIC_SITE_URL: twin, ORCHESTRATOR_CORS_ORIGINS: `${twin},${editorOrigin}` }
  t.strictSame((await diagnose(t, origin, env)).site, fine, 'localhost and 127.0.0.1 are equivalent')
})

const html: RequestListener = (_, response) => response.end('<!doctype html><title>canary</title>')
const sends =
  (status: number, body = '', headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

t.test('each mismatch is reported, and nothing else', async (t) => {
  type Case = readonly [
    item: keyof typeof fine,
    expected: RegExp,
    env?: Readonly<Record<string, string>>,
    options?: Partial<SiteEditorOptions>,
    answers?: Readonly<Record<string, RequestListener>>,
  ]
  const empty: Partial<SiteEditorOptions> = { adapter: { readContent: async () => ({ pages: [] }) } }
  const allowed = { 'access-control-allow-origin': editorOrigin }
  const tagged = { ...allowed, etag: '"1"' }
  const answering = (pages: unknown, headers: object) => ({
    '/pages': sends(200, JSON.stringify(pages), headers),
  })
  const odd = [page, { ...page, slug: '/odd', title: 5 }]
  const bad = [{ ...page, blocks: [{ id: 'b_odd', type: 5 }] }]
  const named = { pages: [page], unreadable: [{ slug: '/odd', reason: 'title is missing' }] }
  const [draft, secret] = ['draft secret', 'publish secret'] as const
  const [other, unset] = ['canary-other', '']
  const production = { NODE_ENV: 'production' }
  const cases: readonly Case[] = [
    ['pages', /^warn It has no published page/, {}, empty],
    [
      'pages',
      /^warn .* page\. .*may refuse\. Correct .*'\/odd' \(title [^.]*\.$/,
      {},
      {},
      answering(odd, tagged),
    ],
    [
      'pages',
      /^warn .* earlier release .* refuses .*'\/odd' \(title .*ETag/,
      {},
      {},
      answering(odd, allowed),
    ],
    [
      'pages',
      /^warn .* page\. Blocks .* may refuse\. Correct .*'\/' \(block b_odd: type [^.]*\.$/,
      {},
      {},
      answering(bad, tagged),
    ],
    ['pages', /^warn .* leaves them .*'\/odd' \(title [^.]*\.$/, {}, {}, answering(named, tagged)],
    [
      'pages',
      /^warn It answers with 1 published page\. Its answer has no ETag.*412\.$/,
      {},
      {},
      answering([page], allowed),
    ],
    ['pages', /^warn It has no published page.*ETag/, {}, {}, answering([], allowed)],
    ['manifest', /^warn It declares no block types; pass blocks/, {}, { blocks: {} }],
    [draft, /^unsafe DRAFT_MODE_SECRET differs/, { DRAFT_MODE_SECRET: other }],
    [draft, /^warn DRAFT_MODE_SECRET is not set here/, { DRAFT_MODE_SECRET: unset }],
    [draft, /^unsafe The site has no draft secret/, {}, { draftSecret: unset }],
    [draft, /answered 500 instead of 307/, {}, {}, { '/draft': sends(500) }],
    [secret, /^unsafe PUBLISH_TOKEN differs/, { PUBLISH_TOKEN: other }],
    [secret, /^unsafe The site requires a publish secret/, { PUBLISH_TOKEN: unset }],
    [secret, /^unsafe Nothing was sent: the header/, { PUBLISH_TOKEN: 'canary-é' }],
    [secret, /^warn Everyone may publish/, {}, { publishSecret: unset }],
    [secret, /^unsafe Everyone may/, production, { publishSecret: unset }],
    [
      secret,
      /^unsafe Without a secret, .* answered 404/,
      {},
      {},
      { '/publish': sends(404), '/publish/': sends(404) },
    ],
    ['editors', /^unsafe It refuses pages of https:\/\/editor\.example/, {}, { editorOrigins: [] }],
    ['editors', /^unsafe It refuses/, { NEXT_PUBLIC_EDITOR_ORIGIN: 'https://other.example' }],
    ['editors', /^unsafe/, {}, {}, answering([page], { etag: '"1"' })],
    ['editors', /^warn No editor is known here/, { ORCHESTRATOR_CORS_ORIGINS: 'SITE' }],
    ['origin', /^unsafe Add http:\/\/127\.0\.0\.1:\d+ to/, { ORCHESTRATOR_CORS_ORIGINS: editorOrigin }],
    ['address', /^unsafe Set NEXT_PUBLIC_SITE_URL to http/, { NEXT_PUBLIC_SITE_URL: 'https://a.example' }],
    ['address', /^warn Set NEXT_PUBLIC_SITE_URL to http/, { NEXT_PUBLIC_SITE_URL: unset }],
  ]
  for (const [item, expected, env = {}, options, answers] of cases) {
    const origin = await startSite(t, options, answers)
    const own = Object.entries(env).map(([name, value]) => [name, value === 'SITE' ? origin : value])
    const { site, code } = await diagnose(t, origin, Object.fromEntries(own))
    t.match(site, { ...fine, [item]: expected })
    if (Object.values(site).some((says) => says.startsWith('unsafe'))) t.equal(code, 1)
  }
  const anyone: RequestListener = ({ method }, response) =>
    response
      .writeHead(200, { 'access-control-allow-origin': '*' })
      .end(method === 'GET' ? JSON.stringify({ pages: [page] }) : '')
  const { site } = await diagnose(t, await startSite(t, {}, { '/pages': anyone }))
  t.match(site['editors'], /^unsafe It lets pages of every origin call/)
})

t.test('a server that does not answer like a site gets no secret', async (t) => {
  const received: string[] = []
  const parked: RequestListener = (request, response) =>
    void text(request).then((body) => {
      received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
      html(request, response)
    })
  const { site, code } = await diagnose(t, await startSite(t, {}, { '/pages': parked, '/blocks': parked }))
  t.equal(code, 1)
  t.match(site, { pages: /^unsafe .* answered something else/, secrets: /^warn No secret was sent/ })
  t.strictSame(Object.keys(site).toSorted(), ['address', 'manifest', 'origin', 'pages', 'secrets'])
  t.equal(received.length, 2)
  t.notMatch(received.join(), /canary/)
})

t.test('a site whose framework adds a slash to every path is reported like any other', async (t) => {
  const site = await startSite(t)
  const slashed = await serve(t, async ({ url = '', method = 'GET', headers }, response) => {
    const [path = '', search] = url.split('?')
    if (!path.endsWith('/'))
      return response.writeHead(308, { location: [`${path}/`, search].filter(Boolean).join('?') }).end()
    const { connection: _, host: _host, ...sent } = headers
    const answer = await fetch(`${site}${url}`, { method, headers: sent as HeadersInit, redirect: 'manual' })
    const text = await answer.text()
    const { 'content-length': _length, ...passed } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, passed).end(text)
  })
  t.strictSame((await diagnose(t, slashed)).site, fine)
})

t.test('so is a site that knows its routes with a slash only', async (t) => {
  const site = await startSite(t)
  const strict = await serve(t, async ({ url = '', method = 'GET', headers }, response) => {
    if (!/\/(?:\?|$)/.test(url)) return response.writeHead(404).end()
    const { connection: _, host: _host, ...sent } = headers
    const answer = await fetch(`${site}${url}`, { method, headers: sent as HeadersInit, redirect: 'manual' })
    const text = await answer.text()
    const { 'content-length': _length, ...passed } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, passed).end(text)
  })
  t.strictSame((await diagnose(t, strict)).site, fine)
})

t.test('a site that is unreachable, silent, endless or broken is reported', async (t) => {
  t.match((await diagnose(t, 'http://127.0.0.1:1')).site, { pages: /^unsafe The site cannot be reached/ })
  const answers: readonly (readonly [RequestListener, RegExp])[] = [
    [() => undefined, /^unsafe The site gave no answer within 1 seconds; start it, or check the address/],
    [(_, response) => response.write('{'), /gave no answer within 1 seconds/],
    [sends(404), /answered 404; mount the editor routes there/],
    [sends(308, '', { location: 'https://www.example.com/' }), /answered 308/],
    [sends(200, JSON.stringify({ pages: 'x'.repeat(9 * 1024 * 1024) })), /answered something else/],
    [sends(200, '['.repeat(100_000)), /answered something else/],
    [sends(200, JSON.stringify({ pages: [{ ...page, title: 7 }] })), /answered something else/],
  ]
  for (const [answer, sentence] of answers) {
    const origin = await startSite(t, {}, { '/pages': answer, '/pages/': answer })
    const isSilent = sentence.source.includes('no answer')
    const { site } = await diagnose(t, origin, {}, isSilent ? 1_000 : undefined)
    t.match(site, { pages: sentence, secrets: /^warn/ })
  }
})

t.test('--site needs an origin, and an invalid configuration is reported without other checks', async (t) => {
  const folder = folderWith(t, { 'orchestrator.config.json': smallConfig() })
  const err = /^'--site' expects an origin such as https:\/\/www\.example\.com, without a path\n/
  for (const address of 'www.example.com ftp://a.example https://a.example/path https://a:b@c.example'.split(
    ' ',
  ))
    t.match(await orchestrator(folder, ['doctor', `--site=${address}`]), { code: 2, out: '', err })
  const flags = ['doctor', '--site', 'http://127.0.0.1:1']
  const { out, code } = await orchestrator(folder, flags, { env: { PORT: 'x' } })
  t.equal(code, 1)
  t.notMatch(out, /Site: /)
})
