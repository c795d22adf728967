// Code samples of one HTTP request in several languages: the key from the environment, the status checked.
import {
  COMPOSER_PATH,
  GEMS_PATH,
  GO_MODULE,
  GO_PROXY_PATH,
  JAVA_SOURCES_PATH,
  TARBALL_PATH,
  WHEEL_PATH,
} from "../client-packages/client-paths.ts";
import { type ClientCall, clientCall } from "./client-call.ts";
import { goClientSample } from "./clients/go.ts";
import { javaClientSample } from "./clients/java.ts";
import { phpClientSample } from "./clients/php.ts";
import { pythonClientSample } from "./clients/python.ts";
import { rubyClientSample } from "./clients/ruby.ts";
import { typescriptClientSample } from "./clients/typescript.ts";
import { curl } from "./curl-sample.ts";
import { csharp } from "./http/csharp.ts";
import { go } from "./http/go.ts";
import { java } from "./http/java.ts";
import { javascript } from "./http/javascript.ts";
import { php } from "./http/php.ts";
import { python } from "./http/python.ts";
import { ruby } from "./http/ruby.ts";
import type { SampleRequest } from "./http-request.ts";
import type { SampleLanguage } from "./sample-languages.ts";

export interface CodeSample {
  readonly language: SampleLanguage;
  readonly code: string;
  /** The command that installs the package which the code imports; undefined if it needs none. */
  readonly install?: string;
  /** True for a language whose samples our tests don't run. */
  readonly isUntested?: true;
}

/** How a language sends a request: with our client where it has a method for it, and with an HTTP library otherwise. */
interface Writer {
  readonly request: (request: SampleRequest) => string;
  /** The command that installs the library of `request`, unless it comes with the language. */
  readonly installLibrary?: string;
  readonly client?: (call: ClientCall) => string;
  /** The command that installs the client from the service at this address. */
  readonly installClient?: (baseUrl: string) => string;
  readonly isUntested?: true;
}

const writers: Readonly<Record<SampleLanguage, Writer>> = {
  sh: { request: curl },
  javascript: { request: javascript },
  typescript: {
    request: (request) => javascript(request).replace("const response = await", "const response: Response = await"),
    client: typescriptClientSample,
    installClient: (baseUrl) => `npm install ${baseUrl}${TARBALL_PATH}`,
  },
  python: {
    request: python,
    installLibrary: "pip install requests",
    client: pythonClientSample,
    installClient: (baseUrl) => `pip install ${baseUrl}${WHEEL_PATH}`,
  },
  php: {
    request: php,
    client: phpClientSample,
    installClient: (baseUrl) =>
      `composer config repositories.screen-capture composer ${baseUrl}${COMPOSER_PATH} && composer require screen-capture/client`,
  },
  go: {
    request: go,
    client: goClientSample,
    installClient: (baseUrl) =>
      `GOPROXY=${baseUrl}${GO_PROXY_PATH},direct GONOSUMDB=${GO_MODULE} go get ${GO_MODULE}@latest`,
  },
  java: {
    request: java,
    client: javaClientSample,
    installClient: (baseUrl) => `curl ${baseUrl}${JAVA_SOURCES_PATH} | tar xz && mvn -f screen-capture-client install`,
  },
  ruby: {
    request: ruby,
    client: rubyClientSample,
    installClient: (baseUrl) => `gem install screen_capture_client --source ${baseUrl}${GEMS_PATH}/`,
  },
  csharp: { request: csharp, isUntested: true },
};

/** The sample of each language. Variables of the shell, such as `$ID`, become variables of the environment. */
export function codeSamples(request: SampleRequest): CodeSample[] {
  const call = clientCall(request);
  return Object.entries(writers).map(([name, writer]) => {
    const language = name as SampleLanguage;
    const { client, installClient, installLibrary, isUntested } = writer;
    const facts = { language, ...(isUntested && { isUntested }) };
    if (call && client) return { ...facts, code: client(call), ...install(installClient?.(call.baseUrl)) };
    return { ...facts, code: writer.request(request), ...install(installLibrary) };
  });
}

const install = (command: string | undefined) => (command === undefined ? {} : { install: command });
