// The worker of the page: one engine, one question after the other. {id, module | name, bytes | beside, bytes | ask | file} in, {id, value | error} out, and {progress} meanwhile.
"use strict";

const kBetween = 200;  // ms, from one message about progress to the next
let engine = null;
let said = 0;

function sayProgress(done, size) {
  const now = performance.now();
  if (now - said < kBetween) return;
  said = now;
  postMessage({progress: {done, size}});
}

function answerTo({module, name, beside, bytes, ask}) {
  if (module) {
    engine = startEngine(module, sayProgress);
    return null;
  }
  if (name !== undefined) return engine.open(name, bytes);
  if (beside !== undefined) return engine.beside(beside, bytes);
  return ask === undefined ? engine.file() : engine.ask(ask);
}

addEventListener("message", ({data}) => {
  try {
    postMessage({id: data.id, value: answerTo(data)});
  } catch (error) {
    // What is no answer of the engine has ended it: memory ran out, or it met what it must not.
    postMessage({id: data.id, error: error.isAnswer ? error.message : `the engine ended (${error.message})`, isOver: !error.isAnswer});
  }
});
