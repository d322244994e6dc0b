import { extname } from 'node:path'

/** Media types of files that browsers load, by extension; text types get a charset. */
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
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

/** Returns the content type of a file by its extension; `undefined` if it is unknown. */
export function contentTypeOf(path: string): string | undefined {
  const type = types[extname(path).slice(1).toLowerCase()]
  return type && /^text\/|json$/.test(type) ? `${type}; charset=utf-8` : type
}
