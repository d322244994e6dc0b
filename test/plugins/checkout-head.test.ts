import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { framedPolicies, insertInHead } from '../../plugins/checkout/testing.ts'

/** Passes chunks through, with `|` where the script would be. */
const inserted = async (chunks: readonly Buffer[], needsHead = false): Promise<string> =>
  (await buffer(Readable.from(chunks).pipe(insertInHead('|', { needsHead })))).toString()

/** Pages, with `|` at the place of the script. */
const pages = [
  '<!doctype html><html><head>|<title>é</title>',
  '\uFEFF<!DOCTYPE html>\n<html lang="a>b" data-x=\'<head>\'>\n  <head data-a="1">|\n<meta charset="utf-8">',
  '<!-- <head> --><!doctype html><!-- - --><html><HEAD>|</HEAD><header>',
  '<!doctype html>\n|<title>No head</title><p>text</p>',
  '<!doctype html><html>|<header>no head</header>',
  '|plain text',
  '|<p>a fragment</p>',
  '<?xml version="1.0"?><!doctype html><html>|<body>',
  '<html><head/>|x',
]

t.test('the script is the first child of the head, however the page is cut', async (t) => {
  for (const page of pages) {
    const bytes = Buffer.from(page.replace('|', ''))
    t.equal(await inserted([bytes]), page)
    t.equal(await inserted([...bytes].map((byte) => Buffer.from([byte]))), page, 'byte by byte')
    for (let at = 1; at < bytes.length; at++)
      if ((await inserted([bytes.subarray(0, at), bytes.subarray(at)])) !== page)
        t.fail(`${page} cut at ${at}`)
  }
})

t.test('an answer without a head that is no page stays as it is, and an empty one is empty', async (t) => {
  t.equal(await inserted([Buffer.from('<li>one</li>')], true), '<li>one</li>')
  t.equal(await inserted([Buffer.from('<html><head><title>')], true), '<html><head>|<title>')
  t.equal(await inserted([]), '')
})

t.test('a comment that does not end is not held for long, and nothing before it is read twice', async (t) => {
  const long = `<!doctype html><!--${'x'.repeat(70_000)}`
  const stream = insertInHead('|', { needsHead: false })
  stream.write(Buffer.from(long))
  t.equal(String(stream.read()).length, long.length + 1)
  stream.destroy()
  const hostile = Buffer.from('<html a="'.repeat(7_000))
  t.equal((await inserted([hostile])).length, hostile.length + 1)
})

const policies: readonly (readonly [given: string, expected: string, nonce: boolean])[] = [
  ["img-src 'self'; Frame-Ancestors 'none'", "img-src 'self'", false],
  ["frame-ancestors 'none'", '', false],
  ["default-src 'none'; img-src *", "default-src 'self'; img-src *", false],
  [
    "script-src 'unsafe-inline' https://a.example",
    "script-src 'unsafe-inline' https://a.example 'self'",
    false,
  ],
  [
    "default-src *; script-src 'strict-dynamic' 'sha256-x'",
    "default-src *; script-src 'strict-dynamic' 'sha256-x' 'nonce-N'",
    true,
  ],
  ["script-src 'none'; script-src-elem 'nonce-N'", "script-src 'none'; script-src-elem 'nonce-N'", true],
]

t.test('a policy lets the script run, and takes nothing else from the website', async (t) => {
  for (const [given, expected, hasNonce] of policies) {
    const { policies: found, nonce } = framedPolicies([given], ['http://edit.localhost'])
    const shown = found.map((each) => (nonce === undefined ? each : each.replaceAll(nonce, 'N')))
    t.strictSame(
      shown,
      [...(expected === '' ? [] : [expected]), 'frame-ancestors http://edit.localhost'],
      given,
    )
    t.equal(nonce !== undefined, hasNonce)
  }
  t.strictSame(framedPolicies([], []).policies, ["frame-ancestors 'none'"])
  const two = framedPolicies(["script-src 'nonce-a', script-src 'nonce-b'"], [])
  t.strictSame(
    [two.nonce, ...two.policies.slice(0, 2)],
    ['a', "script-src 'nonce-a'", "script-src 'nonce-b' 'nonce-a'"],
  )
})
