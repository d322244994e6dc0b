import { hash } from 'node:crypto'
import type { Injection } from '../../kernel/index.ts'
import { signAccess } from '../../plugins/scope/port.ts'

/** What the owner of an installation keeps secret. */
export const secrets = {
  password: 'the password of the owner',
  signing: 'a-token-secret-of-32-characters.',
  access: 'an-access-token-of-32-characters',
  publish: 'a-publish-secret-of-32-characters',
  draft: 'a-draft-secret-of-32-characters.',
  oldDraft: 'the-draft-secret-of-another-year',
} as const
export const passwordHash = hash('sha256', secrets.password)
const wrong = 'a-guess-that-is-32-characters-lo'

/** The origin whose pages may call. */
export const listedOrigin = 'http://localhost:4100'

/** The parts of a request that identify the caller. */
export interface Credentials {
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  readonly search?: string
  readonly remote?: string
}

/** A caller, with every way to present its credentials. */
export interface Caller {
  readonly name: string
  readonly ways: readonly Credentials[]
}

const publishing = { 'x-publish-token': secrets.publish }
const far = '192.0.2.1'

/** An access token in each of its three places, alone, and with wrong ones in the two others. */
function presented(token: string, headers: Readonly<Record<string, string>> = {}): readonly Credentials[] {
  const guess = { 'x-access-token': wrong, authorization: `Bearer ${wrong}` }
  const inHeader = { ...headers, 'x-access-token': token }
  const asBearer = { ...headers, authorization: `Bearer ${token}` }
  return [
    { name: 'x-access-token', headers: inHeader },
    { name: 'bearer', headers: asBearer },
    { name: 'query', headers, search: `accessToken=${token}` },
    {
      name: 'x-access-token, others wrong',
      headers: { ...guess, ...inHeader },
      search: `accessToken=${wrong}`,
    },
    { name: 'bearer, others wrong', headers: { ...guess, ...asBearer }, search: `accessToken=${wrong}` },
    { name: 'query, others wrong', headers: { ...guess, ...headers }, search: `accessToken=${token}` },
  ]
}

/** A draft mode cookie, for https and http. */
function cookies(secret: string): readonly Credentials[] {
  const value = signAccess({ siteId: 'demo', session: 'dev' }, { secret, now: new Date() })
  return ['editor_draft', '__Host-editor_draft'].map((name) => ({
    name,
    headers: { cookie: `${name}=${value}` },
  }))
}

const everywhere = (token: string, publish: string, secret: string): Credentials => ({
  name: 'everywhere',
  headers: { 'x-access-token': token, authorization: `Bearer ${token}`, 'x-publish-token': publish },
  search: `accessToken=${token}&secret=${secret}`,
})

/**
 * Callers from elsewhere; `issued` is a token that `POST /auth/verify` gave for the password, `scoped` one of `token create`
 * with every permission, and `revoked` such a token after its revocation.
 */
export function callers({
  issued,
  scoped,
  revoked,
}: Readonly<Record<'issued' | 'scoped' | 'revoked', string>>): readonly Caller[] {
  const all: Readonly<Record<string, readonly Credentials[]>> = {
    none: [{ name: 'nothing' }, everywhere('', '', '')],
    wrong: [everywhere(wrong, wrong, wrong)],
    swapped: [
      everywhere(secrets.publish, secrets.access, secrets.publish),
      everywhere(secrets.draft, issued, issued),
    ],
    fixed: presented(secrets.access),
    issued: presented(issued),
    publish: [{ name: 'x-publish-token', headers: publishing }],
    'fixed+publish': presented(secrets.access, publishing),
    'issued+publish': presented(issued, publishing),
    scoped: presented(scoped).slice(0, 3),
    'scoped+publish': presented(scoped, publishing).slice(0, 1),
    revoked: [everywhere(revoked, secrets.publish, '')],
    'fixed+revoked': [
      { name: 'both', headers: { 'x-access-token': revoked, authorization: `Bearer ${secrets.access}` } },
    ],
    draft: [{ name: 'secret', search: `secret=${secrets.draft}` }],
    cookie: cookies(secrets.draft),
    'old cookie': cookies(secrets.oldDraft),
  }
  return Object.entries(all).map(([name, ways]) => ({
    name,
    ways: ways.map((way) => ({ remote: far, ...way })),
  }))
}

/** Real and pretended places of a caller. */
const places: Readonly<Record<string, Omit<Credentials, 'name'>>> = {
  here: { remote: '127.0.0.1' },
  'listed page': { remote: '127.0.0.1', headers: { origin: listedOrigin } },
  'other page': { remote: '127.0.0.1', headers: { origin: 'https://evil.example' } },
  forwarded: { remote: '127.0.0.1', headers: { 'x-forwarded-for': '127.0.0.1' } },
  'other host': { remote: '127.0.0.1', headers: { host: 'evil.example:4200' } },
  far: { remote: far },
}

/** Callers in every place, without credentials or with the fixed token. */
export const placedCallers: readonly Caller[] = [{}, { 'x-access-token': secrets.access }].flatMap(
  (shown, at) =>
    Object.entries(places).map(([place, { headers, ...way }]) => {
      const name = at === 0 ? place : `${place}+fixed`
      return { name, ways: [{ name, ...way, headers: { ...headers, ...shown } }] }
    }),
)

/** A request for a path by a caller. */
export function toInjection(method: string, path: string, way: Credentials): Injection {
  const { name: _name, search = '', ...rest } = way
  return { method, url: `${path}${search && `?${search}`}`, ...rest }
}
