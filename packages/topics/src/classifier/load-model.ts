import { existsSync, readFileSync } from 'node:fs';
import { decodeModel, type TopicModel } from './model-file.ts';

/** Next to this source; next to the command in a build; one folder above a chunk of the build. */
const PLACES = ['./model.bin', './topics.bin', '../topics.bin'];

let loaded: TopicModel | undefined;

/** The program's built-in model, read at the first call. */
export function loadTopicModel(): TopicModel {
  loaded ??= decodeModel(readFileSync(modelUrl()));
  return loaded;
}

function modelUrl(): URL {
  const urls = PLACES.map((place) => new URL(place, import.meta.url));
  const found = urls.find((url) => existsSync(url));
  if (!found) throw new Error(`the topic model is missing: ${urls.map(String).join(', ')}`);
  return found;
}
