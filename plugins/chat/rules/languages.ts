/** Recognises messages in another language than English, by their script or their commonest words. */
import { wordSet } from '../../content/words.ts'
import type { Tokens } from './tokens.ts'

const english = wordSet(
  'to of in on and is it as at by make change set add remove delete move this that with for please should replace new i you have can not',
)

/**
 * The languages by their script or by common words that English does not have, and what is said to a message
 * in each.
 */
const languages: readonly (readonly [by: RegExp | ReadonlySet<string>, answer: string])[] = [
  [
    wordSet(`der die das den dem des ein eine einen einem einer und oder nicht auf zu zum zur mit für ist im von vom
      bitte ändere ändern setze setz mach mache lösche lösch löschen entferne entfern entfernen füge hinzu
      hinzufügen verschiebe verschieben ersetze überschrift seite seiten knopf abschnitt titel bild neue neuen
      neuer neues kannst könnt können könnte du ich wir ihr mir mich möchte hätte gern soll sollte heißen
      unten oben nach durch wie wo wer wann warum welche viele steht da jetzt hier mal habe gibt zeig zeige
      schreib schreibe ganz weg kein keine rückgängig tausche tauschen aktualisiere aktualisieren vor über
      unter bei aus noch hilfe umbenennen veröffentliche kopiere kopieren galerie karte karten spalte spalten
      menü kürzer kürze kürzen länger größer kleiner alle letzte letzten erste ersten zweite zweiten`),
    'Ohne Sprachmodell verstehe ich nur Englisch, zum Beispiel: Change the headline to "Hallo". Für andere Sprachen muss ANTHROPIC_API_KEY in der Umgebung des Servers gesetzt und der Server neu gestartet werden.',
  ],
  [
    wordSet(`le la les un une des du de et est pas sur au aux dans par pour avec ce cette mon ma mes ajoute ajouter
      ajoutez supprime supprimer supprimez ouvre annule modifie modifier changez titre bouton je vous nous
      il combien quel quelle où peux pouvez voudrais mets mettez montre`),
    'Sans modèle de langage, je ne comprends que l’anglais, par exemple : Change the headline to "Bonjour". Pour les autres langues, il faut définir ANTHROPIC_API_KEY dans l’environnement du serveur et le redémarrer.',
  ],
  [
    wordSet(`el la los las un una unos y en por de del que para mi mis este esta cambia cambiar añade añadir elimina
      eliminar borra borrar deshaz quita pon título botón página páginas cuántas quiero puedes tengo muestra`),
    'Sin un modelo de lenguaje solo entiendo inglés, por ejemplo: Change the headline to "Hola". Para otros idiomas hay que definir ANTHROPIC_API_KEY en el entorno del servidor y reiniciarlo.',
  ],
  [
    wordSet(`il lo la gli le un una di del della dei nel che questa questo è non aggiungi rimuovi elimina cambia
      sposta metti titolo pagina pagine pulsante voglio puoi quante ho mostra`),
    'Senza un modello linguistico capisco solo l’inglese, per esempio: Change the headline to "Ciao". Per le altre lingue bisogna impostare ANTHROPIC_API_KEY nell’ambiente del server e riavviarlo.',
  ],
  [
    wordSet(`o os um uma de da dos das em na para com que este esta é não mude altere adicione remova apague título
      botão página páginas quero pode quantas tenho mostre`),
    'Sem um modelo de linguagem só entendo inglês, por exemplo: Change the headline to "Olá". Para outras línguas é preciso definir ANTHROPIC_API_KEY no ambiente do servidor e reiniciá-lo.',
  ],
  [
    wordSet(`de het een van naar en op met voor niet dit deze voeg toe verander verwijder zet kop knop titel pagina
      ik wil kun je hoeveel heb`),
    'Zonder taalmodel begrijp ik alleen Engels, bijvoorbeeld: Change the headline to "Hallo". Voor andere talen moet ANTHROPIC_API_KEY in de omgeving van de server staan, en de server opnieuw starten.',
  ],
  [
    wordSet(`w na z się nie jest dodaj usuń zmień przenieś nagłówek stronę strona strony tytuł przycisk proszę chcę
      ile mam`),
    'Bez modelu językowego rozumiem tylko angielski, na przykład: Change the headline to "Cześć". Dla innych języków trzeba ustawić ANTHROPIC_API_KEY w środowisku serwera i uruchomić go ponownie.',
  ],
  [
    wordSet(`och att det en ett som på av för med är inte lägg till ändra ta bort flytta rubriken sidan knappen jag
      vill kan du hur många`),
    'Utan språkmodell förstår jag bara engelska, till exempel: Change the headline to "Hej". För andra språk måste ANTHROPIC_API_KEY anges i serverns miljö och servern startas om.',
  ],
  [
    wordSet(`og det en et som på af med er ikke tilføj fjern ændre endre slett legg flyt overskriften siden knappen
      jeg vil kan du hvor mange`),
    'Uden en sprogmodel forstår jeg kun engelsk, for eksempel: Change the headline to "Hej". Til andre sprog skal ANTHROPIC_API_KEY angives i serverens miljø, og serveren genstartes.',
  ],
  [
    /\p{Script=Cyrillic}/u,
    'Без языковой модели я понимаю только английский, например: Change the headline to "Привет". Для других языков нужно задать ANTHROPIC_API_KEY в окружении сервера и перезапустить его.',
  ],
  [
    /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    '言語モデルがないため、英語だけを理解できます。例: Change the headline to "こんにちは"。ほかの言語を使うには、サーバーの環境に ANTHROPIC_API_KEY を設定して再起動してください。',
  ],
  [
    /\p{Script=Han}/u,
    '没有语言模型时我只能理解英语，例如：Change the headline to "你好"。要使用其他语言，请在服务器环境中设置 ANTHROPIC_API_KEY 并重新启动。',
  ],
]

/** For a script of no language above. */
const inEnglish =
  'Without a language model I only understand English, for example: Change the headline to "Hello". For other languages set ANTHROPIC_API_KEY in the environment of the server and restart it.'

/**
 * The whole answer to a message in another language, in that language; `undefined` for one that may be
 * English.
 */
export function otherLanguage(tokens: Tokens): string | undefined {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ word }) => word)
  const latin = words.filter((word) => /^[\p{Script=Latin}\p{M}\p{N}']+$/u.test(word)).length
  if (words.length > 0 && latin * 2 < words.length)
    return (
      languages.find(([by]) => by instanceof RegExp && words.some((word) => by.test(word)))?.[1] ?? inEnglish
    )
  // A letter that English has not counts as much as a word.
  const accented = words.some((word) => /[^a-z\d']/.test(word)) ? 1 : 0
  const counts = languages.map(([by, answer]) => ({
    answer,
    count: words.filter((word) => !(by instanceof RegExp) && by.has(word)).length,
  }))
  const [best] = counts.toSorted((a, b) => b.count - a.count)
  const inOwn = words.filter((word) => english.has(word)).length
  return best && best.count > 0 && best.count + accented >= 2 && best.count + accented > inOwn
    ? best.answer
    : undefined
}
