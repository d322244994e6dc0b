import { extname } from 'node:path'

/** Media types by extension; text types get a charset. */
const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  txt: 'text/plain',
  vtt: 'text/vtt',
  xml: 'text/xml',
  json: 'application/json',
  map: 'application/json',
  pdf: 'application/pdf',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  otf: 'font/otf',
  ttf: 'font/ttf',
  woff: 'font/woff',
  woff2: 'font/woff2',
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  ogv: 'video/ogg',
  webm: 'video/webm',
}

/** Returns the content type of a file by its extension; `application/octet-stream` if it is unknown. */
export function contentTypeOf(path: string): string {
  const type = types[extname(path).slice(1).toLowerCase()] ?? 'application/octet-stream'
  return /^text\/|json$/.test(type) ? `${type}; charset=utf-8` : type
}

/** Matches the digest of a bundler before the extensions: `index-DiwrgTda.js`, `main.3f2a9c1b.css.map`. */
const digest = /[.-]([\w-]{8}|[\da-f]{8,64})(?:\.[a-z\d]{1,11}){1,2}$/
/** Folders in which bundlers never reuse a name. */
const bundled = /^(?:.*\/)?(?:assets|static|_astro|_next|immutable|chunks)\//

const hasDigit = (text: string): boolean => /\d/.test(text)
/** A word may start with a capital, but has none inside. */
const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text.slice(1))

/**
 * True if the name of a file changes with its content, so a browser may cache it forever; false in doubt,
 * because a stale file stays for a year. A digest must look random: letters and digits in hexadecimal or base
 * 32, and in folders of bundlers any eight characters that are not a word.
 */
export function isHashed(path: string): boolean {
  const [, mark = ''] = digest.exec(path) ?? []
  if (/^[\da-f]+$/.test(mark) || /^[A-Z2-7]{8}$/.test(mark)) return hasDigit(mark) && /[a-z]/i.test(mark)
  return mark !== '' && bundled.test(path) && /[a-z]/i.test(mark) && (hasDigit(mark) || isMixed(mark))
}
