<?php
// Sells all four products with PHP's own streams, as the partner's guide says.

const RETRIES = 6;
date_default_timezone_set('America/Sao_Paulo'); // "Today" is the day in São Paulo.

$api = getenv('API');
$channel = getenv('CHANNEL_LINK');
$run = bin2hex(random_bytes(4)); // In a shop: the number of the order.
$token = '';

/** An answer of 400 and above. Programs decide by its code. */
class Refused extends Exception
{
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly array $body,
    ) {
        parent::__construct("$status " . ($headers['x-error-code'] ?? ''));
    }
}

/** No answer came. */
class NoAnswer extends Exception
{
}

function day(int $offset): string
{
    return date('Y-m-d', strtotime("+$offset days"));
}

function say(mixed ...$words): void
{
    echo implode(' ', $words), "\n";
}

/** @return array{0: array, 1: array} the headers, by their names in small letters, and the body */
function exchange(string $method, string $path, ?array $body = null, string $token = ''): array
{
    global $api;
    $headers = $token === '' ? [] : ["Authorization: Bearer $token"];
    if ($body !== null) $headers[] = 'Content-Type: application/json';
    $options = ['method' => $method, 'header' => $headers, 'timeout' => 60, 'ignore_errors' => true];
    if ($body !== null) $options['content'] = json_encode($body, JSON_UNESCAPED_UNICODE);

    $text = @file_get_contents("$api$path", false, stream_context_create(['http' => $options]));
    if ($text === false) throw new NoAnswer($path);
    $status = (int) explode(' ', $http_response_header[0])[1];
    $answered = [];
    foreach (array_slice($http_response_header, 1) as $line) {
        [$name, $value] = explode(': ', $line, 2) + [1 => ''];
        $answered[strtolower($name)] = $value;
    }
    $json = $text === '' ? [] : json_decode($text, true);
    if ($json === null) throw new NoAnswer($path); // The answer broke off.
    if ($status >= 400) throw new Refused($status, $answered, $json);
    return [$answered, $json];
}

function log_in(): void
{
    global $token;
    $credentials = ['client_id' => getenv('CLIENT_ID'), 'client_secret' => getenv('CLIENT_SECRET')];
    [, $body] = exchange('POST', '/seguros/auth/token', $credentials);
    $token = $body['access_token'];
}

/** Sends a request until it has an answer; $body names its sale, so that it sells once. */
function call(string $method, string $path, ?array $body = null): array
{
    global $token;
    $has_logged_in = false;
    for ($attempt = 1; ; $attempt++) {
        $pause = 2 ** $attempt;
        try {
            return exchange($method, $path, $body, $token);
        } catch (Refused $refused) {
            $retry_after = $refused->headers['retry-after'] ?? null;
            if ($refused->status === 401 && !$has_logged_in) {
                $has_logged_in = true;
                log_in();
                continue;
            }
            $may_repeat = in_array($refused->status, [429, 500, 502, 503, 504], true)
                || ($refused->status === 409 && $retry_after !== null);
            if (!$may_repeat || $attempt >= RETRIES) throw $refused;
            if ($retry_after !== null) $pause = (int) $retry_after;
        } catch (NoAnswer $none) {
            if ($attempt >= RETRIES) throw $none;
        }
        sleep($pause);
    }
}

function refusal_of(string $path, array $body): Refused
{
    try {
        call('POST', $path, $body);
    } catch (Refused $refused) {
        return $refused;
    }
    throw new Exception('the sale was not refused');
}

log_in();
say('logged in');

[, $products] = call('GET', '/private/integration/products');
$ids = array_column($products['data'], 'id', 'code');
$codes = array_keys($ids);
sort($codes);
say('products', ...$codes);

function ticket_sale(string $name, array $changes = []): array
{
    global $run, $ids, $channel;
    return [
        ...['externalSaleId' => "$run-$name", 'productId' => $ids['INGRESSO']],
        ...['channelLink' => $channel, 'nomeCompleto' => 'Maria da Silva'],
        ...['cpfCnpj' => '52998224725', 'dataNascimento' => '1990-05-17'],
        ...['email' => 'maria@example.com', 'telefone' => '11987654321'],
        ...['logradouro' => 'Rua das Flores, 100', 'bairro' => 'Centro'],
        ...['cidade' => 'São Paulo', 'uf' => 'SP', 'cep' => '01001000'],
        ...['dataPagamento' => day(0), 'formaPagamento' => 'pix', 'tipoIngresso' => 'inteira'],
        ...['numeroIngresso' => 'ABC-123', 'dataEvento' => day(30)],
        ...['valorIngresso' => 1886.00, 'valorSeguro' => 188.60],
        ...$changes,
    ];
}

$INGRESSO = '/seguros/ingresso-protegido/create';
[, $ticket] = call('POST', $INGRESSO, ticket_sale('ticket'));
say('INGRESSO', $ticket['data']['status']);

[$headers, $again] = call('POST', $INGRESSO, ticket_sale('ticket'));
$is_same = $again['data']['transaction_id'] === $ticket['data']['transaction_id'];
say('repeated', $headers['idempotent-replayed'], $is_same ? 'the same sale' : 'another sale');

$faulty = refusal_of($INGRESSO, ticket_sale('corrected', ['cpfCnpj' => '52998224726']));
say('faulty', $faulty->status, $faulty->headers['x-error-fields']);
[, $corrected] = call('POST', $INGRESSO, ticket_sale('corrected'));
say('corrected', $corrected['data']['status']);

function card(string $number): array
{
    return ['flag' => 'visa', 'number' => $number, 'cvv' => '123',
        'expiryMonth' => '12', 'expiryYear' => '39'];
}

$iof_rate = array_column($products['data'], 'iof_rate', 'code')['ARTISTA'];
[, $artist] = call('POST', '/seguros/artista-protegido/create', [
    ...['externalSaleId' => "$run-artist", 'productId' => $ids['ARTISTA']],
    ...['channelLink' => $channel, 'nameOrRazao' => 'Maria da Silva'],
    ...['cpfOrCnpj' => '52998224725', 'birthDate' => '1990-05-17'],
    ...['email' => 'maria@example.com', 'phone' => '11987654321', 'eventName' => 'Festival'],
    ...['venueName' => 'Parque', 'eventDescription' => 'Apresentação musical'],
    ...['assemblyStartDate' => day(10), 'eventStartDate' => day(11)],
    ...['eventEndDate' => day(12), 'disassemblyEndDate' => day(13)],
    ...['standArea' => 20, 'lossLimit' => 10000.00, 'premiumNet' => 100.00],
    ...['premiumTaxes' => round(100 * $iof_rate / 100, 2)],
    'address' => [
        ...['street' => 'Rua das Flores', 'number' => '100', 'district' => 'Centro'],
        ...['city' => 'São Paulo', 'state' => 'SP', 'postcode' => '01001000'],
        'ibgeCode' => '3550308',
    ],
    'payment' => ['modeCode' => '2', 'totalInstallmentNumber' => 1,
        'creditCard' => card('4111111111111111')],
]);
say('ARTISTA', $artist['response']['data']['status']);

function phone_sale(string $name, array $changes = []): array
{
    global $run, $ids, $channel;
    return [
        ...['externalSaleId' => "$run-$name", 'productId' => $ids['CELULAR']],
        ...['channelLink' => $channel, 'plan' => ['code' => 'ANUAL']],
        ...['nameOrRazao' => 'Maria da Silva', 'cpfOrCnpj' => '52998224725'],
        ...['email' => 'maria@example.com', 'phone' => '11987654321'],
        ...$changes,
    ];
}

$CELULAR = '/seguros/seguro-celular/create';
[, $phone] = call('POST', $CELULAR, phone_sale('phone-link'));
say('CELULAR', $phone['data']['status']);
$form = ['method' => 'POST', 'header' => 'Content-Type: application/x-www-form-urlencoded',
    'content' => http_build_query(['action' => 'pay', 'method' => 'pix'])];
// Only in the test environment: a program pays as the customer would.
file_get_contents($phone['link'], false, stream_context_create(['http' => $form]));
do {
    usleep(100_000);
    [, $status] = call('GET', "/seguros/seguro-celular/status/$run-phone-link");
} while ($status['data']['status'] !== 'issued');
say('CELULAR issued, paid at the link');

$bad_card = ['creditCard' => card('4000000000000002')];
$declined = refusal_of($CELULAR, phone_sale('phone-declined', $bad_card));
say('declined', $declined->status, $declined->headers['x-error-code']);
$good_card = ['creditCard' => card('4111111111111111')];
[, $paid] = call('POST', $CELULAR, phone_sale('phone-card', $good_card));
say('CELULAR', $paid['data']['status'], 'by card');

[, $trip] = call('POST', '/private/integration/sale', [
    'externalSaleId' => "$run-trip",
    'product' => ['code' => 'LUA_DE_MEL'],
    'insured' => ['name' => 'Maria da Silva', 'cpfOrCnpj' => '52998224725',
        'email' => 'maria@example.com'],
    'coverage' => ['startDate' => day(20), 'endDate' => day(34)],
    'payment' => ['status' => 'paid', 'method' => 'pix'],
]);
say('LUA_DE_MEL', $trip['data']['status']);

$CANCEL = "/private/integration/sale/$run-trip/cancel";
[, $preview] = call('POST', $CANCEL, ['preview' => true]);
$refund = $preview['response']['data']['cancellation']['refund']['total'];
[, $cancelled] = call('POST', $CANCEL, ['refundTotal' => $refund]);
$is_all = $refund === $trip['data']['amounts']['total'];
say($cancelled['response']['data']['status'], $is_all ? 'everything goes back' : $refund);

$seen = [];
$after = '';
while (!in_array('sale.cancelled', $seen['trip'] ?? [], true)) {
    $query = http_build_query(['limit' => 200, ...($after === '' ? [] : ['after' => $after])]);
    [, $feed] = call('GET', "/private/integration/events?$query");
    foreach ($feed['data'] as $event) {
        $name = $event['data']['external_sale_id'] ?? '';
        if (str_starts_with($name, $run)) $seen[substr($name, strlen($run) + 1)][] = $event['type'];
    }
    $after = $feed['next_cursor'];
    if (!$feed['has_more']) usleep(100_000);
}
ksort($seen);
say('feed', ...array_keys($seen));
